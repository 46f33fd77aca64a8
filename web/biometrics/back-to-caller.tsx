import { useEffect, useState } from 'preact/hooks';
import { ButtonLink, Button } from '../kit/button';
import { fill } from './biometrics-texts';
import { settings } from './page-settings';
import { texts } from './page-texts';

/**
 * The countdown before the page goes back. A person must have at least 20 s to stop the countdown (WCAG 2.2.1, a rule for accessibility).
 */
const secondsBeforeReturn = 20;

/** The return URL of the caller, with the id of the transaction and the status of the link. It has no personal data. */
function returnAddress(returnUrl: string, status: string): URL {
  const url = new URL(returnUrl);
  url.searchParams.set('transactionId', settings.transactionId ?? '');
  url.searchParams.set('status', status);
  return url;
}

/**
 * Counts down 20 s, and then opens the address. `seconds`: the seconds left. Undefined without an address, or after `stay`. `stay`: stops
 * the countdown, so that the person stays on this page.
 */
function useReturn(address: string | undefined) {
  const [seconds, setSeconds] = useState<number | undefined>(address === undefined ? undefined : secondsBeforeReturn);
  useEffect(() => {
    if (seconds === undefined || address === undefined) return undefined;
    const timer = setTimeout(() => (seconds > 1 ? setSeconds(seconds - 1) : location.assign(address)), 1_000);
    return () => clearTimeout(timer);
  }, [seconds, address]);
  return { seconds, stay: () => setSeconds(undefined) };
}

/**
 * A button back to the site of the caller. Shows nothing without a return URL. `status`: the status of the biometrics link. `isAutomatic`:
 * the page also goes back after 20 s, and the person can stop this. In a frame, the page never goes back automatically, because the page
 * around the frame decides what happens.
 */
export function BackToCaller({ status, isAutomatic = false }: { status: string; isAutomatic?: boolean }) {
  const { returnUrl } = settings;
  const address = returnUrl === undefined ? undefined : returnAddress(returnUrl, status);
  const { seconds, stay } = useReturn(isAutomatic && window.parent === window ? address?.href : undefined);
  if (!address) return null;
  const { link, soon, stay: stayLabel } = texts.back;
  return (
    <>
      <ButtonLink tone="main" href={address.href} target="_top">
        {fill(link, { host: address.host })}
      </ButtonLink>
      {seconds !== undefined && (
        <>
          {/* Screen readers hear the full time once. A number that changes each second would interrupt them. */}
          <p class="unseen" role="status">
            {fill(soon, { host: address.host, seconds: secondsBeforeReturn })}
          </p>
          <p class="fine" aria-hidden="true">
            {fill(soon, { host: address.host, seconds })}
          </p>
          <Button onClick={stay}>{stayLabel}</Button>
        </>
      )}
    </>
  );
}
