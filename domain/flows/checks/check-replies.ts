import { languages } from '../../language';
import { isOptIn, isOptOut, replyLengthMax } from '../../reply';
import { type StepCheck, templateOf } from '../check-context';
import { type NamedReply, replyExits } from '../definition';
import { issue, type FlowIssue } from '../flow-issue';
import { flowLimits } from '../flow-limits';
import { checkLanguages } from './check-text';

/** Finds what is wrong with the replies of a question. Those of a template are reviewed with it. */
export const checkReplies: StepCheck = (step, path, checking) => {
  if (step.kind !== 'confirm' || step.ask === 'token') return [];
  const at = `${path}.options`;
  const { options } = step;
  // A template that is unknown, or of codes, is told already.
  if (!options && step.template !== undefined && templateOf(step, checking)?.ask !== 'reply') return [];
  const replies = options ?? templateOf(step, checking)?.options ?? [];
  if (replies.length < 2)
    return [
      issue(
        'too-few-replies',
        at,
        `The question has ${replies.length === 0 ? 'no replies' : 'one reply'}.`,
        'Give at least two options to choose from.',
      ),
    ];
  return options ? checkOptions(options, at, step.channel === 'whatsapp') : [];
};

function checkOptions(options: readonly NamedReply[], path: string, buttons: boolean): FlowIssue[] {
  const issues: FlowIssue[] = [];
  if (options.length > flowLimits.replies)
    issues.push(
      issue(
        'too-many-replies',
        path,
        `The question has ${options.length} replies.`,
        `Keep to ${flowLimits.replies} options.`,
      ),
    );
  const strayed = options.findIndex(({ option }, index) => option !== index + 1);
  if (strayed >= 0)
    issues.push(
      issue(
        'replies-out-of-order',
        `${path}.${strayed}.option`,
        `option is ${options[strayed]?.option}.`,
        'Number the options from 1 in order.',
      ),
    );
  return [
    ...issues,
    ...options.flatMap((reply, index) =>
      checkReply(reply, options.slice(0, index), `${path}.${index}`, buttons, options),
    ),
  ];
}

function checkReply(
  reply: NamedReply,
  before: readonly NamedReply[],
  path: string,
  buttons: boolean,
  all: readonly NamedReply[],
): FlowIssue[] {
  const issues: FlowIssue[] = [];
  const { name } = reply;
  if (replyExits.includes(name))
    issues.push(
      issue('reply-name-taken', `${path}.name`, `${name} is an exit of every question.`, 'Take another name.'),
    );
  if (before.some((other) => other.name === name))
    issues.push(issue('reply-name-twice', `${path}.name`, `Two replies are named ${name}.`, 'Name each differently.'));
  return [...issues, ...checkLabels(reply, before, path, buttons), ...checkWords(reply, before, path, all)];
}

function checkLabels(
  { label }: NamedReply,
  before: readonly NamedReply[],
  path: string,
  buttons: boolean,
): FlowIssue[] {
  const issues = checkLanguages(label, `${path}.label`);
  for (const language of languages) {
    const text = label[language];
    const at = `${path}.label.${language}`;
    if (text === undefined) continue;
    if (text.trim() === '')
      issues.push(issue('label-missing', at, 'The label is empty.', 'Write what the button says.'));
    else if (/[\p{C}\p{Zl}\p{Zp}]|\{\{/u.test(text))
      issues.push(
        issue(
          'label-form',
          at,
          'The label has a line break, a sign that cannot be seen, or a placeholder.',
          'Write plain words: a label is shown as it stands.',
        ),
      );
    else if (before.some((other) => other.label[language]?.trim() === text.trim()))
      issues.push(issue('label-twice', at, `Two replies are labelled ${text}.`, 'Label each differently.'));
    const most = buttons ? flowLimits.label : flowLimits.line;
    if (text.length > most)
      issues.push(
        issue(
          'label-too-long',
          at,
          `The label has ${text.length} characters.`,
          `Keep it to ${most}${buttons ? ', which is what a button on WhatsApp holds' : ''}.`,
        ),
      );
  }
  return issues;
}

function checkWords(
  { option, words }: NamedReply,
  before: readonly NamedReply[],
  path: string,
  all: readonly NamedReply[],
): FlowIssue[] {
  if (words.length === 0)
    return [
      issue('reply-words-missing', `${path}.words`, 'No words mean this reply.', 'Give the words of a written answer.'),
    ];
  const taken = new Set([
    ...before.flatMap((other) => other.words),
    // The number of another reply means that one.
    ...all.filter((other) => other.option !== option).map((other) => String(other.option)),
  ]);
  return words.flatMap((word, index) => {
    const at = `${path}.words.${index}`;
    if (!/^[\p{Ll}\p{N}]+(?: [\p{Ll}\p{N}]+)*$/u.test(word) || /\p{M}/u.test(word.normalize('NFD')))
      return issue(
        'reply-word-form',
        at,
        `A written answer is never read as ${JSON.stringify(word)}.`,
        'Write it in lower case, without accents and marks.',
      );
    if (isOptOut(word))
      return issue('reply-word-opts-out', at, `${word} asks for no more messages.`, 'Take another word.');
    if (isOptIn(word)) return issue('reply-word-opts-in', at, `${word} asks for messages again.`, 'Take another word.');
    if (word.length > replyLengthMax)
      return issue(
        'reply-word-too-long',
        at,
        `The written answer has ${word.length} characters.`,
        `Keep it to ${replyLengthMax}: longer ones are not read as answers.`,
      );
    if (taken.has(word))
      return issue('reply-word-twice', at, `${word} means another reply as well.`, 'Give each word to one reply.');
    return [];
  });
}
