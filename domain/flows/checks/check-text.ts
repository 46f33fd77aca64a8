import { fillText, type MessageText } from '../../confirmations/settings';
import { languages } from '../../transactions/input';
import { type CheckContext, createIssue, type FlowIssue, type StepCheck, templateOf } from '../flow-issue';
import type { ConfirmStep } from '../definition';
import { flowLimits } from '../bounds';
import { quote, quoteAll, suggestNames } from '../../text';
import { longestTexts, valueName } from '../flow-values';
import { checkLineBreaks } from './check-rules';

/** Checks the template or the texts of a step. */
export const checkText: StepCheck = (step, path, context) => {
  if (step.kind !== 'confirm') return [];
  const { template, message } = step;
  if (template === undefined && message === undefined)
    return [
      createIssue(
        'text-missing',
        path,
        'The step has no text.',
        'Set `template`, or write `message` in each language.',
      ),
    ];
  if (message !== undefined && step.ask === 'token' && step.channel === 'whatsapp')
    return [
      createIssue(
        'text-on-whatsapp-code',
        `${path}.message`,
        'WhatsApp itself writes the text of a code.',
        'Remove `message`, and set `template` to `whatsapp-token`.',
      ),
    ];
  return [
    ...(template !== undefined && message !== undefined
      ? [createIssue('text-twice', `${path}.message`, 'The step has `template` and `message`.', 'Remove one of them.')]
      : []),
    ...(template === undefined ? [] : checkTemplate(step, `${path}.template`, context)),
    ...checkTemplateMatch(step, path, templateOf(step, context)),
    ...(message === undefined ? [] : checkMessage(step, message, `${path}.message`, context)),
  ];
};

function checkTemplate({ template = '' }: ConfirmStep, path: string, context: CheckContext): FlowIssue[] {
  if (context.templates.has(template)) return [];
  const fix = suggestNames('Use one of these:', template, [...context.templates.keys()]);
  return [createIssue('template-unknown', path, `There is no template ${quote(template)}.`, fix)];
}

function checkTemplateMatch(step: ConfirmStep, path: string, template: ReturnType<typeof templateOf>): FlowIssue[] {
  if (!template) return [];
  const { name, channels, ask } = template;
  const issues: FlowIssue[] = [];
  if (!channels.includes(step.channel))
    issues.push(
      createIssue(
        'template-of-other-channel',
        `${path}.template`,
        `The template ${quote(name)} is for ${channels.map(quote).join(' and ')}, but the step uses ${quote(step.channel)}.`,
        'Choose a template for this channel, or change the channel.',
      ),
    );
  if (ask !== step.ask)
    issues.push(
      createIssue(
        'template-of-other-ask',
        `${path}.template`,
        `The template ${quote(name)} asks for a ${quote(ask)}, but the step asks for a ${quote(step.ask)}.`,
        `Choose a template that asks for a ${quote(step.ask)}.`,
      ),
    );
  return issues;
}

/** Finds missing and unknown languages. */
export function checkLanguages(texts: Readonly<Record<string, unknown>>, path: string): FlowIssue[] {
  const languageList = quoteAll(languages);
  return [
    ...languages
      .filter((language) => !Object.hasOwn(texts, language))
      .map((language) =>
        createIssue(
          'language-missing',
          `${path}.${language}`,
          `The text in ${quote(language)} is missing.`,
          `Write the text in each language: ${languageList}.`,
        ),
      ),
    ...Object.keys(texts)
      .filter((language) => !languages.some((known) => known === language))
      .map((language) =>
        createIssue(
          'language-unknown',
          `${path}.${language}`,
          `${quote(language)} is not a language of the service.`,
          `Remove it. The languages are ${languageList}.`,
        ),
      ),
  ];
}

function checkMessage(
  step: ConfirmStep,
  message: Readonly<Record<string, MessageText>>,
  path: string,
  context: CheckContext,
): FlowIssue[] {
  const issues = checkLanguages(message, path);
  for (const language of languages) {
    const text = message[language];
    if (text)
      issues.push(
        ...checkBody(step, text, `${path}.${language}`, context),
        ...checkSubject(step, text, `${path}.${language}`, context),
      );
  }
  return issues;
}

function checkBody(
  { ask, channel }: ConfirmStep,
  { body }: MessageText,
  path: string,
  context: CheckContext,
): FlowIssue[] {
  const bodyPath = `${path}.body`;
  if (body.trim() === '') return [createIssue('body-missing', bodyPath, 'The text is empty.', 'Write the message.')];
  const issues = checkPlaceholders(body, bodyPath, context);
  if (body.length > flowLimits.messageCharacters)
    issues.push(
      createIssue(
        'body-too-long',
        bodyPath,
        `The text has ${body.length} characters.`,
        `Use at most ${flowLimits.messageCharacters} characters.`,
      ),
    );
  else
    issues.push(
      ...(context.checkMessage?.(fillText(body, longestTexts(context.flow.values)), bodyPath, channel) ?? []),
    );
  const showsCode = body.includes('{{code}}');
  if (ask === 'token' && !showsCode)
    issues.push(
      createIssue('code-not-shown', bodyPath, 'The text does not show the code.', 'Add `{{code}}` to the text.'),
    );
  if (ask === 'reply' && showsCode)
    issues.push(createIssue('code-in-question', bodyPath, 'A question has no code to show.', 'Remove `{{code}}`.'));
  return issues;
}

function checkSubject(
  { channel }: ConfirmStep,
  { subject }: MessageText,
  path: string,
  context: CheckContext,
): FlowIssue[] {
  const subjectPath = `${path}.subject`;
  if (subject === undefined || subject.trim() === '')
    return channel === 'email'
      ? [createIssue('subject-missing', subjectPath, 'The e-mail has no subject.', 'Write a subject.')]
      : [];
  if (channel !== 'email')
    return [createIssue('subject-unneeded', subjectPath, 'Only an e-mail has a subject.', 'Remove the subject.')];
  const issues = [...checkPlaceholders(subject, subjectPath, context), ...checkLineBreaks(subject, subjectPath)];
  if (subject.length > flowLimits.subjectCharacters)
    issues.push(
      createIssue(
        'subject-too-long',
        subjectPath,
        `The subject has ${subject.length} characters.`,
        `Use at most ${flowLimits.subjectCharacters} characters.`,
      ),
    );
  else
    issues.push(
      ...(context.checkMessage?.(fillText(subject, longestTexts(context.flow.values)), subjectPath, channel) ?? []),
    );
  // A subject must not have a code, because mail servers log subjects.
  if (subject.includes('{{code}}'))
    issues.push(
      createIssue('code-in-subject', subjectPath, 'The subject shows the code.', 'Use `{{code}}` only in `body`.'),
    );
  return issues;
}

const servicePlaceholders = ['brand', 'code', 'minutes'];

function checkPlaceholders(text: string, path: string, { flow }: CheckContext): FlowIssue[] {
  const names = [...servicePlaceholders, ...Object.keys(flow.values ?? {}).filter((name) => valueName.test(name))];
  const known = names.join('|');
  // Also finds single braces, such as {code}. The service would not replace them, and the person would read them.
  const unknownPlaceholder = new RegExp(
    `\\{\\{(?!(?:${known})\\}\\})[^{}]{0,40}(?:\\}\\})?|(?<!\\{)\\{(?:${known})\\}(?!\\})`,
  ).exec(text);
  if (!unknownPlaceholder) return [];
  const placeholders = names.map((name) => `{{${name}}}`).map(quote);
  return [
    createIssue(
      'placeholder-unknown',
      path,
      `${quote(unknownPlaceholder[0])} is not a known placeholder.`,
      `Use only ${placeholders.slice(0, -1).join(', ')} and ${placeholders.at(-1)}, without spaces.`,
    ),
  ];
}
