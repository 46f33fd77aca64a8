import { defaultPolicy } from '../../../domain/scoring/policy';
import type { Evidence, PairLink } from '../../../domain/scoring/evidence';
import type { ScoreBasis } from '../../../domain/scoring/score';

/** Plausible evidence without links to other transactions. `change` replaces parts. */
export function evidenceWith(change: Partial<Evidence> = {}): Evidence {
  return {
    document: { kind: 'CPF', checkDigits: 'right', repeated: false, alphanumeric: false, states: ['SP'] },
    phone: { allocated: true, line: 'mobile', state: 'SP' },
    postalCode: { state: 'SP' },
    email: { disposable: false, syntax: 'valid', resemblesName: 0 },
    links: { pairs: [], countsByKind: {} },
    ...change,
  };
}

/** A basis (the input of a score) with evidence from `evidenceWith` and the built-in policy. */
export function basisWith(change: Partial<Evidence> = {}, facts: ScoreBasis['facts'] = {}): ScoreBasis {
  return { evidence: evidenceWith(change), facts, policy: defaultPolicy };
}

/**
 * The link of two values, such as document and phone. `dates`: on how many dates other transactions had both values. `confirmed`: in how
 * many transactions the person confirmed the pair.
 */
export function buildPairLink(pair: PairLink['pair'], dates: number, confirmed = 0): PairLink {
  return { pair, times: dates, dates, firstDate: '2026-01-01', lastDate: '2026-02-01', overlap: 1, confirmed };
}
