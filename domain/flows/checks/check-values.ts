import { quote, quoteAll } from '../../text';
import { languages } from '../../transactions/input';
import { fillText } from '../../confirmations/settings';
import { type FlowValue, reservedNames, valueLimits, valueName } from '../flow-values';
import { createIssue, type FlowCheck, type FlowIssue, formatValue } from '../flow-issue';
import { checkLineBreaks } from './check-rules';
import { checkLanguages } from './check-text';

/** Checks the values that a flow declares. */
export const checkValues: FlowCheck = ({ flow: { values = {}, steps } }) => {
  const names = Object.keys(values);
  if (names.length > valueLimits.values)
    return [
      createIssue(
        'too-many-values',
        'values',
        `The flow has ${names.length} values.`,
        `Use at most ${valueLimits.values}: the person reads them on a phone.`,
      ),
    ];
  const onWhatsapp = Object.entries(steps).filter(
    ([, step]) =>
      step.kind === 'confirm' &&
      step.channel === 'whatsapp' &&
      languages.some((language) => usesValue(step.message?.[language]?.body ?? '', names)),
  );
  return [
    ...Object.entries(values).flatMap(([name, value]) => checkValue(name, value)),
    ...onWhatsapp.map(([name]) =>
      createIssue(
        'value-on-whatsapp',
        `steps.${name}.message`,
        'The text has a value, but WhatsApp approves each text before it is sent.',
        'Remove the value from the text, or use another channel.',
      ),
    ),
  ];
};

const usesValue = (text: string, names: readonly string[]) =>
  fillText(text, Object.fromEntries(names.map((name) => [name, '']))) !== text;

function checkValue(name: string, { type, maxCharacters, label }: FlowValue): FlowIssue[] {
  const path = `values.${name}`;
  const issues = checkLanguages(label, `${path}.label`);
  if (!valueName.test(name) || reservedNames.includes(name))
    issues.push(
      createIssue(
        'value-name',
        path,
        `${quote(name)} cannot be the name of a value.`,
        `Use up to 30 letters and digits, the first one a lower-case letter. These names are taken: ${quoteAll(reservedNames)}.`,
      ),
    );
  const [shortest, longest] = valueLimits.textCharacters;
  const isInRange =
    maxCharacters !== undefined &&
    Number.isInteger(maxCharacters) &&
    maxCharacters >= shortest &&
    maxCharacters <= longest;
  if (type === 'text' ? !isInRange : maxCharacters !== undefined)
    issues.push(
      createIssue(
        'value-length',
        `${path}.maxCharacters`,
        type === 'text' ? `\`maxCharacters\` is ${formatValue(maxCharacters)}.` : 'An amount has no `maxCharacters`.',
        type === 'text' ? `Give a whole number from ${shortest} to ${longest}.` : 'Remove it.',
      ),
    );
  for (const language of languages) {
    const text = label[language] ?? '';
    const labelPath = `${path}.label.${language}`;
    if (Object.hasOwn(label, language) && (text.trim() === '' || text.length > valueLimits.labelCharacters))
      issues.push(
        createIssue(
          'value-label',
          labelPath,
          text.trim() === '' ? 'The label is empty.' : `The label has ${text.length} characters.`,
          `Write a label of at most ${valueLimits.labelCharacters} characters.`,
        ),
      );
    issues.push(...checkLineBreaks(text, labelPath));
  }
  return issues;
}
