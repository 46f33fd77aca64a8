import type { DataKind, Relevance } from './results';
import type { Language, PersonFacts } from '../transactions/input';
import type { Evidence, Links, PairLink } from './evidence';
import type { RuleId, Thresholds } from './policy';

/** The input of a rule. */
export interface RuleContext {
  evidence: Evidence;
  facts: PersonFacts;
  thresholds: Thresholds;
}

/** The result of a rule. */
export interface RuleResult {
  /** From 0, if the rule does not hold, to 1, if it holds fully. The points of the rule are multiplied by the strength. */
  strength: number;
  /** The values that the rule used, for explanations. No personal data. */
  details: Readonly<Record<string, string | number | boolean>>;
}

/** One rule of the score. If the rule holds, callers also get it as an insight. */
export interface Rule {
  /** Two letters and three digits. The code never changes. Two rules may have the same code if they differ in relevance. */
  code: string;
  relevance: Relevance;
  /**
   * The kind of data that the insight is about. Callers see these Portuguese words: registration data, velocity (a value in many
   * transactions), link to other transactions, confirmation, card, session.
   */
  category: 'Cadastro' | 'Velocidade' | 'Vinculo' | 'Confirmacao' | 'Cartao' | 'Sessao';
  relatedTo: readonly DataKind[];
  text: Readonly<Record<Language, string>>;
  /** The result of the rule. Undefined if the evidence for the rule is missing. */
  evaluate(context: RuleContext): RuleResult | undefined;
}

/** The id of a rule: its code and its relevance, such as PH001.Positivo. */
export function ruleId({ code, relevance }: Pick<Rule, 'code' | 'relevance'>): RuleId {
  return `${code}.${relevance}`;
}

/** The result of a rule that either holds fully or does not hold. */
export function fullOrNoPoints(condition: boolean, details: RuleResult['details']): RuleResult {
  return { strength: condition ? 1 : 0, details };
}

/** A rule that holds if many transactions within `sharedWithinDays` days have the same phone or e-mail address. */
export function busyEvaluator(kind: 'Phone' | 'Email'): Rule['evaluate'] {
  return ({ evidence: { links }, thresholds: { busyTransactions, sharedWithinDays } }) => {
    const transactions = links?.countsByKind[kind]?.transactions;
    if (transactions === undefined) return undefined;
    return fullOrNoPoints(transactions >= busyTransactions, { transactions, withinDays: sharedWithinDays });
  };
}

/**
 * A rule that holds if several documents within `sharedWithinDays` days were used with the same value. The strength is 0.5 at the threshold
 * `sharedByDocuments`, because families share values too. With more documents, the strength approaches 1.
 */
export function sharingEvaluator(kind: Exclude<keyof Links['countsByKind'], 'Document'>): Rule['evaluate'] {
  return ({ evidence: { links }, thresholds: { sharedByDocuments, sharedWithinDays } }) => {
    const documents = links?.countsByKind[kind]?.documents;
    if (documents === undefined) return undefined;
    const strength = documents >= sharedByDocuments ? 1 - (0.5 * sharedByDocuments) / documents : 0;
    return { strength, details: { documents, withinDays: sharedWithinDays } };
  };
}

type LinkCounts = Pick<PairLink, 'times' | 'dates' | 'confirmed'>;

const zeroCounts: LinkCounts = { times: 0, dates: 0, confirmed: 0 };

/** How often the document occurs with the phone or e-mail address. Undefined if one of the two is missing, or there is no link graph. */
export function documentLinkOf(links: Links | undefined, kind: 'Phone' | 'Email'): LinkCounts | undefined {
  const link = links?.pairs.find(({ pair }) => pair.includes('Document') && pair.includes(kind));
  if (link) return link;
  return links?.countsByKind.Document && links.countsByKind[kind] ? zeroCounts : undefined;
}

/**
 * A rule about the number of other dates on which the document was seen with the same phone or e-mail address. The strength is 0 without
 * such a date, 0.5 with one date, 0.75 with two dates, and so on. A date counts only once, and the date of this transaction does not count.
 * So repeated requests on one day earn no trust.
 */
export function seenTogetherEvaluator(other: 'Phone' | 'Email'): Rule['evaluate'] {
  return ({ evidence: { links } }) => {
    const link = documentLinkOf(links, other);
    return link && { strength: 1 - 0.5 ** link.dates, details: { dates: link.dates, times: link.times } };
  };
}

/** A similarity with two decimals. It is rounded down, so that a value just below a threshold does not seem to reach the threshold. */
export function roundLikeness(likeness: number): number {
  // The computer's 0.29 * 100 is a little less than 29. Adding 1e-9 corrects such rounding errors.
  return Math.floor(likeness * 100 + 1e-9) / 100;
}
