import { z } from 'zod';
import { readConfig } from '../../platform/config';
import { port } from '../../platform/settings';
import { twilioSettings } from '../../platform/shared-settings';

const inboxSchema = z.object({
  ...twilioSettings,
  INBOX_PORT: port(3001),
  INBOX_HOST: z.string().default('127.0.0.1'),
  /** Port at which the inbox receives mails (SMTP). */
  INBOX_SMTP_PORT: port(3025),
  /** Folder that stores received messages between starts; unset: only in memory. */
  INBOX_DATA_DIR: z.string().optional(),
  /** Address to which the inbox posts the replies of simulated persons, in the format of Twilio. */
  INBOUND_WEBHOOK_URL: z.url().default('http://127.0.0.1:3000/webhooks/twilio/inbound'),
});

export type InboxConfig = z.infer<typeof inboxSchema>;

/** The names of all settings of the inbox. A test checks that the documentation has each of them. */
export const inboxSettingNames: readonly string[] = Object.keys(inboxSchema.shape);

/** Reads the settings of the inbox. Throws ConfigurationError. */
export const readInboxConfig = (environment?: NodeJS.ProcessEnv): InboxConfig => readConfig(inboxSchema, environment);
