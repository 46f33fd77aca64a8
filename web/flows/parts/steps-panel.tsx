import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { currentLanguage, languageNames, languages, type Language } from '../../app/language';
import { useStore } from '../../app/store';
import { SelectField } from '../../kit/field';
import { Tag } from '../../kit/content';
import type { FlowTemplate } from '../data';
import { useFlowsTexts } from '../flows-texts';
import { formatSeconds } from '../times';

/** An object from a text that the user is typing. Its fields can have any type, so the code checks the type of each field. */
type Loose = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const objectOf = (value: unknown): Loose => (isObject(value) ? value : {});
const listOf = (value: unknown): readonly Loose[] => (Array.isArray(value) ? value.filter(isObject) : []);

interface StepProps {
  step: Loose;
  templates: readonly FlowTemplate[];
  language: Language;
}

/** The message of a step that the person reads, and the names of the replies. */
function Message({ step, templates, language }: StepProps) {
  const { steps } = useFlowsTexts();
  const template = templates.find(({ name }) => name === step['template']);
  const message = objectOf(objectOf(step['message'] ?? template?.message)[language]);
  const options = listOf(step['options'] ?? template?.replies);
  const body = textOf(message['body']);
  if (body === '') return <p class="soft small">{steps.noText}</p>;
  const subject = textOf(message['subject']);
  return (
    <figure class="message">
      <figcaption class="soft small">
        {step['message'] === undefined && template ? steps.templateText(template.name) : steps.ownText}
      </figcaption>
      <blockquote lang={language}>
        {subject && (
          <p class="strong">
            {steps.subject}: {subject}
          </p>
        )}
        <p class="message-body">{body}</p>
        {options.length > 0 && (
          <p class="replies">
            <span class="unseen">{steps.replies}: </span>
            {options.map(({ name, label }) => (
              <Tag>{`${textOf(objectOf(label)[language])} (${textOf(name)})`}</Tag>
            ))}
          </p>
        )}
      </blockquote>
    </figure>
  );
}

/** The conditions of a `decide` step, each with the next step. */
function Rules({ step }: { step: Loose }) {
  const { steps } = useFlowsTexts();
  return (
    <ol class="rules">
      {listOf(step['rules']).map(({ when, then, because }) => (
        <li>
          {steps.when} <code>{textOf(when)}</code> → <bdi>{textOf(then)}</bdi>
          {textOf(because) && (
            <span class="soft">
              {' '}
              ({steps.because}: {textOf(because)})
            </span>
          )}
        </li>
      ))}
      <li>
        {steps.otherwise} → <bdi>{textOf(step['else'])}</bdi>
      </li>
    </ol>
  );
}

/** The exits of a step, each with the next step. */
function Exits({ step }: { step: Loose }) {
  const exits = {
    ...objectOf(step['exits']),
    ...(step['kind'] === 'decide' && step['failed'] ? { Failed: step['failed'] } : {}),
    ...(step['exhausted'] ? { exhausted: step['exhausted'] } : {}),
  };
  const entries = Object.entries(exits);
  if (entries.length === 0) return null;
  return (
    <ul class="exits small">
      {entries.map(([exit, to]) => (
        <li>
          <bdi>{exit}</bdi> → <bdi>{textOf(to)}</bdi>
        </li>
      ))}
    </ul>
  );
}

/** Returns a function that says in one line what a step does. */
function useSummary(): (step: Loose) => ComponentChildren {
  const { steps, run } = useFlowsTexts();
  return (step) => {
    const channel = Object.entries(run.channels).find(([name]) => name === step['channel'])?.[1] ?? '';
    switch (step['kind']) {
      case 'confirm':
        return step['ask'] === 'token' ? steps.code(channel) : steps.question(channel);
      case 'biometrics':
        return steps.images;
      case 'wait':
        return `${steps.waits(formatSeconds(Number(step['seconds']) || 0))} → ${textOf(step['then'])}`;
      case 'notify':
        return (
          <>
            {steps.sendsEvent} <code>{textOf(step['event'])}</code>
          </>
        );
      case 'outcome':
        return (
          <>
            {steps.endsAs} <strong>{textOf(step['outcome'])}</strong>
          </>
        );
      default:
        return undefined;
    }
  };
}

interface StepsPanelProps {
  /** The definition of a flow, or the JSON that the user has typed. */
  definition: unknown;
  templates: readonly FlowTemplate[];
}

/** Every step with its conditions and texts. The user can choose the language of the texts. */
export function StepsPanel({ definition, templates }: StepsPanelProps) {
  const { steps: texts } = useFlowsTexts();
  const pageLanguage = useStore(currentLanguage);
  const [chosen, setChosen] = useState<Language>();
  const summaryOf = useSummary();
  const language = chosen ?? pageLanguage;
  const { start, steps } = objectOf(definition);
  return (
    <section class="card block steps" aria-labelledby="steps">
      <div class="line">
        <h2 id="steps">{texts.heading}</h2>
        <SelectField
          label={texts.language}
          isSmall
          value={language}
          options={languages.map((one) => ({ value: one, label: languageNames[one] }))}
          onChange={(value) => setChosen(languages.find((one) => one === value))}
        />
      </div>
      <p class="soft small">{isObject(steps) ? texts.lead : texts.unreadable}</p>
      <ul class="step-list">
        {Object.entries(objectOf(steps)).map(([name, value]) => {
          const step = objectOf(value);
          const kind = Object.entries(texts.kinds).find(([one]) => one === step['kind'])?.[1];
          return (
            <li>
              <h3>
                <bdi>{name}</bdi> {kind && <Tag tone="info">{kind}</Tag>}{' '}
                {start === name && <Tag tone="good">{texts.start}</Tag>}
              </h3>
              {summaryOf(step) && <p>{summaryOf(step)}</p>}
              {step['kind'] === 'confirm' && <Message step={step} templates={templates} language={language} />}
              {step['kind'] === 'decide' && <Rules step={step} />}
              <Exits step={step} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}
