import { languages } from '../../language';
import { isOptIn, isOptOut, replyLengthMax } from '../../reply';
import { type StepCheck, templateOf } from '../check-context';
import { type NamedReply, replyExits } from '../definition';
import { issue, type FlowIssue } from '../flow-issue';
import { flowLimits } from '../flow-limits';
import { checkLanguages } from './check-text';

/** Checks the replies of a question. Those of a template are reviewed with the template. */
export const checkReplies: StepCheck = (step, path, context) => {
  if (step.kind !== 'confirm' || step.ask === 'token') return [];
  const at = `${path}.options`;
  const { options } = step;
  // An unknown template, or one for codes, is reported already.
  if (!options && step.template !== undefined && templateOf(step, context)?.ask !== 'reply') return [];
  const replies = options ?? templateOf(step, context)?.options ?? [];
  if (replies.length < 2)
    return [
      issue(
        'too-few-replies',
        at,
        `The question has ${replies.length === 0 ? 'no replies' : 'one reply'}.`,
        'Add at least two options.',
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
        `Use at most ${flowLimits.replies} options.`,
      ),
    );
  const firstMisnumbered = options.findIndex(({ option }, index) => option !== index + 1);
  if (firstMisnumbered >= 0)
    issues.push(
      issue(
        'replies-out-of-order',
        `${path}.${firstMisnumbered}.option`,
        `option is ${options[firstMisnumbered]?.option}, but should be ${firstMisnumbered + 1}.`,
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
      issue('reply-name-taken', `${path}.name`, `${name} is an exit of every question.`, 'Choose another name.'),
    );
  if (before.some((other) => other.name === name))
    issues.push(
      issue('reply-name-twice', `${path}.name`, `Two replies are named ${name}.`, 'Give each reply its own name.'),
    );
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
      issues.push(issue('label-missing', at, 'The label is empty.', 'Write the text of the button.'));
    else if (/[\p{C}\p{Zl}\p{Zp}]|\{\{/u.test(text))
      issues.push(
        issue(
          'label-form',
          at,
          'The label has a line break, an invisible character or a placeholder.',
          'Use plain text only.',
        ),
      );
    else if (before.some((other) => other.label[language]?.trim() === text.trim()))
      issues.push(issue('label-twice', at, `Two replies have the label ${text}.`, 'Give each reply its own label.'));
    const most = buttons ? flowLimits.label : flowLimits.titleCharacters;
    if (text.length > most)
      issues.push(
        issue(
          'label-too-long',
          at,
          `The label has ${text.length} characters.`,
          `Use at most ${most} characters${buttons ? ', the limit of a WhatsApp button' : ''}.`,
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
      issue(
        'reply-words-missing',
        `${path}.words`,
        'The reply has no words.',
        'List the written answers that mean this reply.',
      ),
    ];
  const taken = new Set([
    ...before.flatMap((other) => other.words),
    // A number selects the reply of that number.
    ...all.filter((other) => other.option !== option).map((other) => String(other.option)),
  ]);
  return words.flatMap((word, index) => {
    const at = `${path}.words.${index}`;
    if (!/^[\p{Ll}\p{N}]+(?: [\p{Ll}\p{N}]+)*$/u.test(word) || /\p{M}/u.test(word.normalize('NFD')))
      return issue(
        'reply-word-form',
        at,
        `${JSON.stringify(word)} never matches a written answer.`,
        'Write it in lower case, without accents or punctuation.',
      );
    if (isOptOut(word))
      return issue('reply-word-opts-out', at, `${word} opts the person out of messages.`, 'Choose another word.');
    if (isOptIn(word))
      return issue('reply-word-opts-in', at, `${word} opts the person in to messages.`, 'Choose another word.');
    if (word.length > replyLengthMax)
      return issue(
        'reply-word-too-long',
        at,
        `The written answer has ${word.length} characters.`,
        `Use at most ${replyLengthMax}. Longer answers are not matched.`,
      );
    if (taken.has(word))
      return issue('reply-word-twice', at, `${word} also means another reply.`, 'Use each word for one reply only.');
    return [];
  });
}
