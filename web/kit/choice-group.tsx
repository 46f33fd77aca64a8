import type { ComponentChildren, Ref } from 'preact';
import { useId } from 'preact/hooks';

export interface Choice<Value extends string> {
  value: Value;
  label: ComponentChildren;
  /** `bad`: the choice rejects or removes something. */
  tone?: 'bad' | undefined;
}

interface ChoiceGroupProps<Value extends string> {
  /** The name of the group for screen readers. */
  legend: string;
  choices: readonly Choice<Value>[];
  /** The value of the choice. Undefined until the user has chosen. */
  value: Value | undefined;
  onChange: (value: Value) => void;
  /** Gets the element of the first choice, for example to give it the focus. */
  firstRef?: Ref<HTMLInputElement>;
}

/** A few choices side by side. The user chooses one. */
export function ChoiceGroup<Value extends string>({
  legend,
  choices,
  value,
  onChange,
  firstRef,
}: ChoiceGroupProps<Value>) {
  const name = useId();
  return (
    <fieldset class="choices">
      <legend class="unseen">{legend}</legend>
      {choices.map((choice, index) => (
        <label class={choice.tone === 'bad' ? 'button choice choice-bad' : 'button choice'} key={choice.value}>
          <input
            type="radio"
            name={name}
            checked={choice.value === value}
            ref={index === 0 ? (firstRef ?? null) : null}
            onChange={() => onChange(choice.value)}
          />
          {choice.label}
        </label>
      ))}
    </fieldset>
  );
}
