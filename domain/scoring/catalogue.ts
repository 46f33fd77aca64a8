import { addressRules } from './rules/address-rules';
import { cardRules } from './rules/card-rules';
import { confirmationRules } from './rules/confirmation-rules';
import { documentRules } from './rules/document-rules';
import { emailRules } from './rules/email-rules';
import { linkRules } from './rules/link-rules';
import { personRules } from './rules/person-rules';
import { phoneRules } from './rules/phone-rules';
import { sessionRules } from './rules/session-rules';
import { type Rule, ruleId } from './rule';

/** The rules of all lists, in order. Throws if two rules have the same id. */
export function defineCatalogue(...ruleLists: readonly (readonly Rule[])[]): readonly Rule[] {
  const rules = ruleLists.flat();
  const seen = new Set<string>();
  for (const id of rules.map(ruleId)) {
    if (seen.has(id)) throw new Error(`Two rules share the id ${id}.`);
    seen.add(id);
  }
  return rules;
}

/** All rules. Scores, insights and explanations follow this order. */
export const catalogue: readonly Rule[] = defineCatalogue(
  documentRules,
  phoneRules,
  emailRules,
  addressRules,
  personRules,
  cardRules,
  sessionRules,
  linkRules,
  confirmationRules,
);
