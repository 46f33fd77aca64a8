import { readInboxConfig } from './settings';
import { startInbox } from './start-inbox';

async function main(): Promise<void> {
  const config = readInboxConfig();
  const inbox = await startInbox(config);
  console.log(
    `inbox: phones and mailboxes at ${inbox.url}, mail at ${inbox.smtpUrl}, replies to ${config.INBOUND_WEBHOOK_URL}`,
  );
  const stop = (): void => {
    inbox.stop().then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
}

function fail(error: unknown): void {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

main().catch(fail);
