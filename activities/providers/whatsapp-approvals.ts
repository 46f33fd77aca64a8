import { LRUCache } from 'lru-cache';
import { errorName, type Logger } from '../../platform/logger';
import type { TwilioClient } from './twilio-client';

/**
 * How the templates of an account are listed: the largest page, into which the templates of most accounts fit, and how many are read at most. If
 * an account has more, a template may be created twice, which does no harm, and some are not watched.
 */
export const templateList = { pageSize: 500, limit: 5_000 };

/** The states of an approval: https://www.twilio.com/docs/content/content-api-resources. Only `approved` templates start a conversation. */
const knownStatuses = ['unsubmitted', 'received', 'pending', 'approved', 'rejected', 'paused', 'disabled'] as const;
/** `other`: a state that this release does not know. */
type ApprovalStatus = (typeof knownStatuses)[number] | 'other';

const noTemplates: Readonly<Record<ApprovalStatus, number>> = {
  unsubmitted: 0,
  received: 0,
  pending: 0,
  approved: 0,
  rejected: 0,
  paused: 0,
  disabled: 0,
  other: 0,
};

/** WhatsApp sends no message with a template in one of these states, and the state does not end by itself, except that a pause may. */
const refusedStatuses: ReadonlySet<ApprovalStatus> = new Set(['rejected', 'paused', 'disabled']);

/** WhatsApp usually decides on a code within seconds, and on other texts within minutes. A check costs one request for each 500 templates. */
const checkEveryMs = 600_000;
/** After a request for approval, WhatsApp has often decided by then. */
const checkSoonMs = 30_000;

/** WhatsApp takes 100 new templates per hour, so not all of an account that has never asked are submitted at once. */
const requestsPerCheckMax = 15;

/** A reason is a short code such as `INVALID_FORMAT`, or a sentence. */
const reasonLengthMax = 200;

/** The names that `WhatsappTemplates` gives. An account may have templates of other services, which are left alone. */
const ownName = /_(?:pt_BR|en|es)_[0-9a-f]{12}$/;

/** A template at Twilio. */
interface Template {
  sid: string;
  name: string;
  isAuthentication: boolean;
}

interface CheckedTemplate extends Template {
  status: ApprovalStatus;
  /** Why WhatsApp rejects it. May be empty. */
  reason: string;
}

interface ApprovalDependencies {
  /** The name of the account in MESSAGING. */
  provider: string;
  client: TwilioClient;
  logger: Logger;
}

/** Asks WhatsApp to approve the templates of one account, and watches what it decides. */
export class WhatsappApprovals {
  readonly provider: string;
  /** How many templates have each status, since the last check. Undefined before the first one. */
  counts: Readonly<Record<ApprovalStatus, number>> | undefined;
  /** In milliseconds since 1970. */
  #dueAt = 0;
  /** The ids of templates for which this worker has asked. */
  readonly #asked = new LRUCache<string, true>({ max: templateList.limit });
  /** The refused templates that the log already names, with their status. */
  #logged = new Map<string, ApprovalStatus>();

  constructor(private readonly dependencies: ApprovalDependencies) {
    this.provider = dependencies.provider;
  }

  /** Whether the statuses may have changed since the last check. */
  isDue(nowMs: number): boolean {
    return nowMs >= this.#dueAt;
  }

  /** Asks for the approval of a new template. Never rejects: a later check asks again. */
  async request(template: Template): Promise<void> {
    this.#dueAt = Math.min(this.#dueAt, Date.now() + checkSoonMs);
    await this.#submit(template);
  }

  /** Reads all statuses, asks for approvals that nobody has asked for, and logs each refused template once. Rejects if Twilio does not answer. */
  async check(): Promise<void> {
    this.#dueAt = Date.now() + checkEveryMs;
    const templates = await this.#read();
    const counts = { ...noTemplates };
    for (const { status } of templates) counts[status] += 1;
    this.counts = counts;
    this.#logRefused(templates);
    // One for which this worker has asked in vain must not keep it from the others.
    const unsubmitted = templates
      .filter(({ status }) => status === 'unsubmitted')
      .toSorted((left, right) => Number(this.#asked.has(left.sid)) - Number(this.#asked.has(right.sid)));
    for (const template of unsubmitted.slice(0, requestsPerCheckMax)) await this.#submit(template);
  }

  async #submit({ sid, name, isAuthentication }: Template): Promise<void> {
    const { client, logger, provider } = this.dependencies;
    this.#asked.set(sid, true);
    // WhatsApp rejects a name that it already has, and two workers may create the same template. The end of the id makes the name unique.
    const uniqueName = `${name.toLowerCase().replace(/[^a-z0-9_]/g, '_')}_${sid.slice(-6).toLowerCase()}`;
    const category = isAuthentication ? 'AUTHENTICATION' : 'UTILITY';
    try {
      await client.content.v1.contents(sid).approvalCreate.create({ name: uniqueName, category });
    } catch (error) {
      const failure = errorName(error);
      logger.warn({ provider, template: name, failure }, 'the approval of a WhatsApp template cannot be requested');
    }
  }

  async #read(): Promise<CheckedTemplate[]> {
    const { client } = this.dependencies;
    const contents = await client.content.v1.contentAndApprovals.list(templateList);
    return contents
      .filter(({ friendlyName }) => ownName.test(friendlyName ?? ''))
      .map(({ sid, friendlyName: name, types, approvalRequests }) => {
        const { status: found, rejection_reason: reason } = (approvalRequests ?? {}) as Record<string, unknown>;
        const status = knownStatuses.find((known) => known === (found ?? 'unsubmitted')) ?? 'other';
        const isAuthentication = Object.hasOwn(types, 'whatsapp/authentication');
        return { sid, name, isAuthentication, status, reason: typeof reason === 'string' ? reason : '' };
      });
  }

  #logRefused(templates: readonly CheckedTemplate[]): void {
    const { logger, provider } = this.dependencies;
    const refused = templates.filter(({ status }) => refusedStatuses.has(status));
    for (const { sid, name, status, reason } of refused)
      if (this.#logged.get(sid) !== status)
        logger.error(
          { provider, template: name, status, reason: reason.slice(0, reasonLengthMax) },
          'WhatsApp refuses a template: messages with its text fail',
        );
    this.#logged = new Map(refused.map(({ sid, status }) => [sid, status]));
  }
}
