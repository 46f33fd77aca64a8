import { settingsLimits } from './confirmation-settings';

const [digitsMin, digitsMax] = settingsLimits.codeDigits;

/** What is wrong with a text that cannot be a code. It is the same for every token, so it does not tell how many digits a code has. */
export const typedCodeIssue = `must be a code of ${digitsMin} to ${digitsMax} digits`;

/** Characters that come with a pasted code, but that people do not see or read as separators: spaces, dashes and invisible characters. */
const separators = /[\p{White_Space}\p{Dash}\p{Default_Ignorable_Code_Point}]/gu;
const codePattern = new RegExp(`^[0-9]{${digitsMin},${digitsMax}}$`);

/**
 * The digits of a code that a person typed or pasted. Separators are removed, and other forms of digits, such as full-width digits, become
 * ASCII. Undefined if the text cannot be a code: then it must not be compared, and uses no attempt.
 */
export function readTypedCode(text: string): string | undefined {
  const digits = text.normalize('NFKC').replace(separators, '');
  return codePattern.test(digits) ? digits : undefined;
}
