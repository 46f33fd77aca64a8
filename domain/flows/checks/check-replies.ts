import { findKeyword, type Keyword, replyLengthMax } from '../../confirmations/replies';
import { languages } from '../../transactions/input';
import {
  type CheckContext,
  createIssue,
  type FlowIssue,
  type FlowIssueCode,
  formatValue,
  type StepCheck,
  templateOf,
} from '../flow-issue';
import { type ConfirmStep, exitsOf, type NamedReply } from '../definition';
import { flowLimits } from '../bounds';
import { quote } from '../../text';
import { checkLanguages } from './check-text';

/** Checks the replies of a question. The replies of a template are already reviewed, so only their number is checked: at least two. */
export const checkReplies: StepCheck = (step, path, context) => {
  if (step.kind !== 'confirm' || step.ask === 'token') return [];
  const optionsPath = `${path}.options`;
  const { options } = step;
  // If the template is unknown or is for codes, `checkText` reports it.
  if (!options && step.template !== undefined && templateOf(step, context)?.ask !== 'reply') return [];
  const replies = options ?? templateOf(step, context)?.options ?? [];
  if (replies.length < 2)
    return [
      createIssue(
        'too-few-replies',
        optionsPath,
        `The question has ${replies.length === 0 ? 'no replies' : 'one reply'}.`,
        'Write at least two replies in `options`.',
      ),
    ];
  return options ? checkOptions(step, options, optionsPath, context) : [];
};

function checkOptions(
  step: ConfirmStep,
  options: readonly NamedReply[],
  path: string,
  context: CheckContext,
): FlowIssue[] {
  const issues: FlowIssue[] = [];
  if (options.length > flowLimits.replies)
    issues.push(
      createIssue(
        'too-many-replies',
        path,
        `The question has ${options.length} replies.`,
        `Use at most ${flowLimits.replies} replies.`,
      ),
    );
  const firstMisnumbered = options.findIndex(({ option }, index) => option !== index + 1);
  if (firstMisnumbered >= 0)
    issues.push(
      createIssue(
        'replies-out-of-order',
        `${path}.${firstMisnumbered}.option`,
        `The number of this reply is ${options[firstMisnumbered]?.option}, but it must be ${firstMisnumbered + 1}.`,
        'Set `option` to 1 in the first reply, to 2 in the second, and so on.',
      ),
    );
  return [
    ...issues,
    ...options.flatMap((reply, index) => {
      const replyPath = `${path}.${index}`;
      const earlierReplies = options.slice(0, index);
      return [
        ...checkReplyName(step, reply, earlierReplies, replyPath),
        ...checkLabels(step, reply, earlierReplies, replyPath, context),
        ...checkWords(reply, earlierReplies, replyPath, options),
      ];
    }),
  ];
}

function checkReplyName(
  step: ConfirmStep,
  { name }: NamedReply,
  earlierReplies: readonly NamedReply[],
  path: string,
): FlowIssue[] {
  const issues: FlowIssue[] = [];
  if (exitsOf({ ...step, options: [] }).includes(name))
    issues.push(
      createIssue(
        'reply-name-taken',
        `${path}.name`,
        `The question already has the exit ${quote(name)}.`,
        'Choose another name.',
      ),
    );
  if (earlierReplies.some((other) => other.name === name))
    issues.push(
      createIssue(
        'reply-name-twice',
        `${path}.name`,
        `Two replies are named ${quote(name)}.`,
        'Give each reply its own name.',
      ),
    );
  return issues;
}

function checkLabels(
  { channel }: ConfirmStep,
  { label }: NamedReply,
  earlierReplies: readonly NamedReply[],
  path: string,
  context: CheckContext,
): FlowIssue[] {
  const hasButtons = channel === 'whatsapp';
  const issues = checkLanguages(label, `${path}.label`);
  for (const language of languages) {
    const text = label[language];
    const labelPath = `${path}.label.${language}`;
    if (text === undefined) continue;
    if (text.trim() === '')
      issues.push(createIssue('label-missing', labelPath, 'The label is empty.', 'Write the text of the button.'));
    else if (/[\p{C}\p{Zl}\p{Zp}]|\{\{/u.test(text))
      issues.push(
        createIssue(
          'label-form',
          labelPath,
          'The label has a line break, an invisible character or a placeholder.',
          'Use plain text only.',
        ),
      );
    else if (earlierReplies.some((other) => other.label[language]?.trim() === text.trim()))
      issues.push(
        createIssue(
          'label-twice',
          labelPath,
          `Two replies have the label ${quote(text)}.`,
          'Give each reply its own label.',
        ),
      );
    const lengthMax = hasButtons ? flowLimits.labelCharacters : flowLimits.titleCharacters;
    if (text.length > lengthMax)
      issues.push(
        createIssue(
          'label-too-long',
          labelPath,
          `The label has ${text.length} characters.`,
          `Use at most ${lengthMax} characters${hasButtons ? ', the limit of a WhatsApp button' : ''}.`,
        ),
      );
    else issues.push(...(context.checkMessage?.(text, labelPath, channel) ?? []));
  }
  return issues;
}

/** Why a reply cannot have a keyword as a word. */
const keywordIssues: Record<Keyword, { code: FlowIssueCode; effect: string }> = {
  optOut: { code: 'reply-word-opts-out', effect: 'stops all messages to the person' },
  optIn: { code: 'reply-word-opts-in', effect: 'starts messages to the person again' },
  help: { code: 'reply-word-asks-for-help', effect: 'asks for help' },
};

function checkWords(
  { option, words }: NamedReply,
  earlierReplies: readonly NamedReply[],
  path: string,
  allReplies: readonly NamedReply[],
): FlowIssue[] {
  if (words.length === 0)
    return [
      createIssue(
        'reply-words-missing',
        `${path}.words`,
        'The reply has no words.',
        'List the words that a person may write for this reply.',
      ),
    ];
  const usedWords = new Set([
    ...earlierReplies.flatMap((other) => other.words),
    // The numbers of the other replies, because a person may write a number instead of a word.
    ...allReplies.filter((other) => other.option !== option).map((other) => String(other.option)),
  ]);
  return words.flatMap((word, index) => {
    const wordPath = `${path}.words.${index}`;
    if (!/^[\p{Ll}\p{N}]+(?: [\p{Ll}\p{N}]+)*$/u.test(word) || /\p{M}/u.test(word.normalize('NFD')))
      return createIssue(
        'reply-word-form',
        wordPath,
        `${formatValue(word)} can never match: replies are compared in lower case, without accents and punctuation.`,
        'Write the word in lower case, without accents and punctuation.',
      );
    const keyword = findKeyword(word);
    if (keyword !== undefined) {
      const { code, effect } = keywordIssues[keyword];
      return createIssue(code, wordPath, `The word ${quote(word)} ${effect}.`, 'Choose another word.');
    }
    if (word.length > replyLengthMax)
      return createIssue(
        'reply-word-too-long',
        wordPath,
        `The word has ${word.length} characters.`,
        `Use at most ${replyLengthMax} characters. The service ignores longer replies.`,
      );
    if (usedWords.has(word))
      return createIssue(
        'reply-word-twice',
        wordPath,
        `Another reply already uses ${quote(word)}.`,
        'Use each word, and each number of a reply, for one reply only.',
      );
    return [];
  });
}
