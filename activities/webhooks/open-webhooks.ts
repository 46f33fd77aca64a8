import type { WorkerConfig } from '../../platform/config';
import type { NoticeDependencies } from './notify-caller';
import { createPostWebhook } from './post-webhook';
import { configureWebhooks } from './webhook-settings';

/** The webhooks that the settings name. Throws ConfigurationError when they cannot be. */
export function openWebhooks(
  config: Pick<WorkerConfig, 'WEBHOOKS' | 'COUNTERSIGN_ENV'>,
): Pick<NoticeDependencies, 'webhookOf' | 'postWebhook'> {
  const { WEBHOOKS: json, COUNTERSIGN_ENV: environment } = config;
  return {
    webhookOf: configureWebhooks(json, environment),
    postWebhook: createPostWebhook({ publicOnly: environment !== 'local' }),
  };
}
