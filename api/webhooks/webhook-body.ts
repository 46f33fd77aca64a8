import { z } from 'zod';
import { named } from '../http/openapi/schema-of';
import { eventPatterns } from '../../domain/webhooks/webhooks';
import type { ApiConfig } from '../../platform/config';
import { flag, text } from '../http/body/fields';
import { isPublicAddress } from '../../platform/ip-addresses';

const pattern = z.enum(eventPatterns, 'must be a type of event such as confirmation.sent, or confirmation.*, or *');

/**
 * The body of a request to create or change a webhook. If the environment is not `local`, the URL must have https and must not lead to a
 * private network.
 */
export const webhookBody = ({ COUNTERSIGN_ENV: environment }: Pick<ApiConfig, 'COUNTERSIGN_ENV'>) =>
  named(
    'WebhookSettings',
    z.strictObject({
      url: text(2_000).superRefine((url, context) => {
        const message = webhookUrlIssue(url, environment === 'local');
        if (message !== undefined) context.addIssue({ code: 'custom', message });
      }),
      // 50 entries are always enough, because there are fewer than 50 types of events.
      events: z
        .array(pattern, 'must be a list')
        .min(1, 'must have 1 to 50 entries')
        .max(50, 'must have 1 to 50 entries')
        .default(['*']),
      enabled: flag.default(true),
    }),
  );

export type WebhookBody = z.output<ReturnType<typeof webhookBody>>;

/**
 * Maximum of `earlierSecretSeconds`: a week. This is longer than any deployment. It is short enough that a leaked secret does not stay
 * valid for long.
 */
const earlierSecretSecondsMax = 7 * 86_400;
/** Default of `earlierSecretSeconds`: a day. This is enough to change the secret in all processes of a caller. */
const earlierSecretSecondsDefault = 86_400;
const secondsIssue = `must be a whole number from 0 to ${earlierSecretSecondsMax}`;

/** The body of POST …/secret, which gives a webhook a new secret. */
export const rotationBody = named(
  'WebhookSecretRotation',
  z
    .strictObject({
      earlierSecretSeconds: z
        .int(secondsIssue)
        .min(0, secondsIssue)
        .max(earlierSecretSecondsMax, secondsIssue)
        .default(earlierSecretSecondsDefault)
        .meta({
          description:
            'How long the earlier secret still signs, in seconds. Send 0 if somebody else knows the earlier secret',
        }),
    })
    .default({ earlierSecretSeconds: earlierSecretSecondsDefault }),
);

export type RotationBody = z.output<typeof rotationBody>;

/**
 * Why a URL cannot be a webhook; undefined if it can be a webhook. Does not check the addresses of a host name. Each delivery checks them,
 * because they can change. `isLocal`: whether http and private addresses are allowed.
 */
export function webhookUrlIssue(text: string, isLocal: boolean): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return 'must be a URL such as https://hooks.example.com/countersign';
  if (url.username || url.password) return 'must have no user and password: events are signed instead';
  if (url.hash) return 'must have no fragment (#)';
  if (isLocal) return undefined;
  if (url.protocol !== 'https:') return 'must be https, except with COUNTERSIGN_ENV=local';
  return isPublicAddress(url.hostname) === false
    ? 'must not be a loopback, private or reserved address, except with COUNTERSIGN_ENV=local'
    : undefined;
}
