import type { components } from '../api-types';

type Health = components['schemas']['Health'];

const texts: Record<string, string> = { ready: 'This API accepts requests', starting: 'This API is starting' };

/** Shows on the first page whether the API accepts requests. */
export async function showStatus(): Promise<void> {
  const place = document.querySelector('[data-status]');
  const link = place?.querySelector('a');
  if (!place || !link) return;
  const health = await fetch('/health/ready')
    .then((response) => response.json() as Promise<Health>)
    .catch(() => undefined);
  link.textContent = texts[health?.status ?? ''] ?? 'This API does not accept requests now';
  place.setAttribute('data-status', health?.status === 'ready' ? 'ready' : 'not-ready');
}
