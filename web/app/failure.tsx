import type { ComponentChildren } from 'preact';
import { TextWithCode } from '../kit/content';
import { Button } from '../kit/button';
import { forgetAccess } from './access';
import { appTexts } from './app-texts';
import { ApiProblem } from './call-api';
import { Unreachable } from './request';
import type { AppTexts, Passage } from './texts/texts';
import { useTexts } from './use-texts';
import { View } from './view';

export interface FailureProps {
  error: unknown;
  /** The title of the browser tab. */
  tab: string;
  /** The text that is shown if the access token does not have the scope that the page needs. */
  scopeHint: string;
  /** Texts by problem code. They replace the title and the detail of the problem. */
  passages?: Partial<Record<string, Passage>>;
  /** Loads the view again. */
  onRetry: () => void;
  /** A link to another view. */
  back?: ComponentChildren;
}

function passageOf({ error, scopeHint, passages = {} }: FailureProps, { failures }: AppTexts): Passage {
  if (error instanceof Unreachable) return failures.unreachable;
  if (!(error instanceof ApiProblem)) return failures.unexpected;
  if (error.code === 'insufficient_scope') return { heading: failures.noAccess, text: scopeHint };
  const { title = failures.rejected, detail = '' } = error.fields;
  return passages[error.code] ?? { heading: title, text: detail };
}

/** The view that shows why another view cannot be loaded. */
export function Failure(props: FailureProps) {
  const { error, tab, onRetry, back } = props;
  const texts = useTexts(appTexts);
  const { heading, text } = passageOf(props, texts);
  const problem = error instanceof ApiProblem ? error : undefined;
  const signInAgain = () => {
    forgetAccess();
    onRetry();
  };
  return (
    <View heading={heading} tab={tab} isCentered>
      <p class="soft">
        <TextWithCode text={text} />
      </p>
      {problem?.fields.traceId && <p class="soft small">{texts.traceId(problem.fields.traceId)}</p>}
      <div class="form-actions">
        <Button tone="main" onClick={onRetry}>
          {texts.tryAgain}
        </Button>
        {problem?.status === 403 && <Button onClick={signInAgain}>{texts.failures.otherClient}</Button>}
        {back}
      </div>
    </View>
  );
}
