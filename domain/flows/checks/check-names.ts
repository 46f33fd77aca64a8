import { type FlowCheck, type StepCheck, stepNames } from '../checking';
import { fault, type FlowFault, type FlowFaultCode } from '../flow-fault';
import { flowLimits } from '../flow-limits';
import { nameForms } from '../name-forms';
import type { RunStatus } from '../run';
import { findPersonalData } from './find-personal-data';

interface Form {
  code: FlowFaultCode;
  pattern: RegExp;
  mend: string;
}

const forms = {
  flow: { code: 'flow-name', pattern: nameForms.kebab, mend: 'Write it in kebab-case, such as sign-up.' },
  step: { code: 'step-name', pattern: nameForms.kebab, mend: 'Write it in kebab-case, such as ask-by-sms.' },
  reply: { code: 'reply-name', pattern: nameForms.pascal, mend: 'Write it in PascalCase, such as NotMe.' },
  outcome: { code: 'outcome-name', pattern: nameForms.pascal, mend: 'Write it in PascalCase, such as Confirmed.' },
  event: {
    code: 'event-name',
    pattern: nameForms.event,
    mend: 'Write lower-case words with dots or hyphens between, such as step-up.begun.',
  },
} as const satisfies Record<string, Form>;

const shadowed = new Set([...Object.getOwnPropertyNames(Object.prototype), 'prototype']);

/** Finds what keeps a text from being the name of something. */
export function checkName(kind: keyof typeof forms, name: string, path: string): FlowFault[] {
  const { code, pattern, mend }: Form = forms[kind];
  if (shadowed.has(name)) return [fault('name-shadows', path, `\`${name}\` is a reserved name.`, 'Take another name.')];
  if (name.length > flowLimits.name)
    return [
      fault(
        'name-too-long',
        path,
        `The name has ${name.length} characters.`,
        `Take one of at most ${flowLimits.name} characters.`,
      ),
    ];
  const personal = findPersonalData(name, path);
  if (personal.length > 0 || pattern.test(name)) return personal;
  return [
    fault(code, path, name === '' ? `The ${kind} has no name.` : `The ${kind} name ${name} is not in form.`, mend),
  ];
}

function checkLine(code: FlowFaultCode, field: string, line: string, path: string): FlowFault[] {
  if (line.length <= flowLimits.line) return findPersonalData(line, path);
  return [fault(code, path, `${field} has ${line.length} characters.`, `Keep it to ${flowLimits.line} characters.`)];
}

function checkOutcome(name: string, path: string): FlowFault[] {
  const canceled: RunStatus = 'Canceled';
  if (name !== canceled) return checkName('outcome', name, path);
  return [fault('outcome-name-taken', path, `A run that was canceled reads as ${name}.`, 'Take another name.')];
}

export const checkFlowNames: FlowCheck = ({ flow, steps, unread }) => [
  ...checkName('flow', flow.name, 'name'),
  ...(flow.title === undefined ? [] : checkLine('title-too-long', 'The title', flow.title, 'title')),
  ...stepNames({ steps, unread }).flatMap((name) => checkName('step', name, `steps.${name}`)),
];

export const checkStepNames: StepCheck = (step, path) => {
  if (step.kind === 'outcome') return checkOutcome(step.outcome, `${path}.outcome`);
  if (step.kind === 'notify') return checkName('event', step.event, `${path}.event`);
  if (step.kind === 'confirm')
    return (step.options ?? []).flatMap(({ name }, index) => checkName('reply', name, `${path}.options.${index}.name`));
  if (step.kind === 'decide')
    return step.rules.flatMap(({ because }, index) =>
      because === undefined
        ? []
        : checkLine('because-too-long', 'The reason', because, `${path}.rules.${index}.because`),
    );
  return [];
};
