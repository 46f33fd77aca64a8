import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosWorld } from '../chaos-world';
import type { InboxMessage } from '../inbox-person';
import { ProviderFront, type RequestFault, requestFaults } from './provider-front';

/** What a provider does to the receipts of its messages: each arrives twice, or none arrives. */
const receiptFaults = { 'receipts twice': 2, 'no receipts': 0 } as const;
type ReceiptFault = keyof typeof receiptFaults;

export const providerFaults = [...requestFaults, ...(Object.keys(receiptFaults) as ReceiptFault[])] as const;
export type ProviderFault = RequestFault | ReceiptFault;

/** Both can be asked for a message whose answer was lost. */
export const providerNames = ['twilio', 'infobip'] as const;
export type ProviderName = (typeof providerNames)[number];

/** The sender shows which provider delivered a message. */
const senders: Readonly<Record<ProviderName, string>> = { twilio: '+15005550006', infobip: 'Countersign' };
const receiptPaths: Readonly<Record<ProviderName, string>> = {
  twilio: '/webhooks/twilio/status/',
  infobip: '/webhooks/gateways/',
};

const isReceiptFault = (fault: ProviderFault): fault is ReceiptFault => fault in receiptFaults;
export const isRequestFault = (fault: ProviderFault): fault is RequestFault => !isReceiptFault(fault);

/** Receipts arrive a quarter of a second after the message at the latest. */
const receiptsWithinMs = 1_000;

/** Two providers of SMS. Each has its own address and faults, and the same inbox keeps the messages of both. */
export class TwoProviders {
  readonly #receipts: { [provider in ProviderName]?: ReceiptFault | undefined } = {};

  #hidesReceipts = false;

  private constructor(
    /** The provider that gets messages first. */
    readonly first: ProviderName,
    private readonly fronts: Readonly<Record<ProviderName, ProviderFront>>,
  ) {}

  static async open(first: ProviderName): Promise<TwoProviders> {
    const [twilio, infobip] = await Promise.all([ProviderFront.open(), ProviderFront.open()]);
    return new TwoProviders(first, { twilio, infobip });
  }

  get second(): ProviderName {
    return this.first === 'twilio' ? 'infobip' : 'twilio';
  }

  /** MESSAGING of a local stack. */
  get messaging(): string {
    const { fronts, first, second } = this;
    const listed = (provider: ProviderName, order: number) => ({ provider, order, sender: senders[provider] });
    return JSON.stringify({
      providers: {
        twilio: {
          kind: 'twilio',
          accountSid: '$TWILIO_ACCOUNT_SID',
          authToken: '$TWILIO_AUTH_TOKEN',
          baseUrl: fronts.twilio.address,
        },
        infobip: {
          kind: 'gateway',
          gateway: 'infobip-sms',
          values: { baseUrl: fronts.infobip.address, apiKey: '$TWILIO_AUTH_TOKEN' },
        },
        mail: { kind: 'smtp', url: '$SMTP_URL' },
      },
      channels: {
        sms: { providers: [listed(first, 1), listed(second, 2)] },
        whatsapp: { providers: [{ provider: 'twilio', sender: senders.twilio }] },
        email: { providers: [{ provider: 'mail', sender: 'no-reply@countersign.example' }] },
      },
    });
  }

  /** Must be called when the stack has started. */
  connectTo({ stack, callbackProxy }: ChaosWorld): void {
    for (const front of Object.values(this.fronts)) front.forwardTo(stack.addresses.inbox);
    callbackProxy.copiesOf = (path) => {
      const provider = providerNames.find((name) => path.startsWith(receiptPaths[name]));
      if (this.#hidesReceipts) return 0;
      const fault = provider && this.#receipts[provider];
      return fault === undefined ? 1 : receiptFaults[fault];
    };
  }

  /** Replaces the faults of a provider. Without any, it works again. */
  async setFaults(provider: ProviderName, faults: readonly ProviderFault[]): Promise<void> {
    this.#receipts[provider] = faults.find(isReceiptFault);
    await this.fronts[provider].setFault(faults.find(isRequestFault));
  }

  /** Calls `action` when one of the providers has accepted the next message. The service gets neither an answer nor a receipt. */
  async atNextAcceptance(action: () => void, signal: AbortSignal): Promise<void> {
    const setOnAccepted = (onAccepted: () => boolean) => {
      for (const front of Object.values(this.fronts)) front.onAccepted = onAccepted;
    };
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
      setOnAccepted(() => {
        setOnAccepted(() => false);
        this.#hidesReceipts = true;
        action();
        resolve();
        return true;
      });
    });
    setOnAccepted(() => false);
    await sleep(receiptsWithinMs);
    this.#hidesReceipts = false;
  }

  isBySecond = ({ from }: InboxMessage): boolean => from === senders[this.second];

  async close(): Promise<void> {
    for (const front of Object.values(this.fronts)) await front.setFault('down');
  }
}
