import { birthdate } from './rules/birthdate';
import { cardBin } from './rules/card-bin';
import { cardOwnerDocument } from './rules/card-owner-document';
import { cardOwnerName } from './rules/card-owner-name';
import { cardShared } from './rules/card-shared';
import { cardTried } from './rules/card-tried';
import { confirmedBiometrics } from './rules/confirmed-biometrics';
import { confirmedEmail } from './rules/confirmed-email';
import { confirmedPhone } from './rules/confirmed-phone';
import { deniedByPerson } from './rules/denied-by-person';
import { documentAlphanumeric } from './rules/document-alphanumeric';
import { documentCheckDigits } from './rules/document-check-digits';
import { documentContacts } from './rules/document-contacts';
import { documentRegion } from './rules/document-region';
import { documentRepeated } from './rules/document-repeated';
import { emailBusy } from './rules/email-busy';
import { emailDisposable } from './rules/email-disposable';
import { emailMailServer } from './rules/email-mail-server';
import { emailResemblesName } from './rules/email-resembles-name';
import { emailShared } from './rules/email-shared';
import { emailSyntax } from './rules/email-syntax';
import { identifierShared } from './rules/identifier-shared';
import { linkConfirmed } from './rules/link-confirmed';
import { linkDenied } from './rules/link-denied';
import { linkNewContact } from './rules/link-new-contact';
import { linkOfEmail } from './rules/link-of-email';
import { linkOfPhone } from './rules/link-of-phone';
import { mothersFamilyName } from './rules/mothers-family-name';
import { mothersNameSame } from './rules/mothers-name-same';
import { nameForm } from './rules/name-form';
import { phoneAllocated } from './rules/phone-allocated';
import { phoneBusy } from './rules/phone-busy';
import { phoneLine } from './rules/phone-line';
import { phoneShared } from './rules/phone-shared';
import { phoneState } from './rules/phone-state';
import { postalCodeKnown } from './rules/postal-code-known';
import { postalCodeState } from './rules/postal-code-state';
import { sessionShared } from './rules/session-shared';
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
  documentCheckDigits,
  documentRepeated,
  documentRegion,
  documentAlphanumeric,
  documentContacts,
  phoneState,
  phoneAllocated,
  phoneLine,
  phoneShared,
  phoneBusy,
  emailDisposable,
  emailMailServer,
  emailResemblesName,
  emailShared,
  emailSyntax,
  emailBusy,
  postalCodeState,
  postalCodeKnown,
  nameForm,
  mothersFamilyName,
  mothersNameSame,
  birthdate,
  cardOwnerDocument,
  cardBin,
  cardShared,
  cardOwnerName,
  cardTried,
  sessionShared,
  identifierShared,
  linkOfPhone,
  linkOfEmail,
  linkConfirmed,
  linkDenied,
  linkNewContact,
  confirmedPhone,
  confirmedEmail,
  deniedByPerson,
  confirmedBiometrics,
);
