import type { ComponentChildren } from 'preact';
import { render } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { announce, liveText, notice } from '../app/messages';
import { useStore } from '../app/store';
import { PersonFooter } from '../person/person-footer';
import { PersonHeader } from '../person/person-header';
import { fill } from './biometrics-texts';
import { settings } from './page-settings';
import { texts } from './page-texts';

/** The number of steps: the consent and three images. The last screen is not a step. */
const steps = 4;

export interface Screen {
  /** Styles and tests find the screen by its name. */
  name: string;
  heading: string;
  /** The number of the step, from 1. Undefined for a screen that is no step. */
  step?: number;
  content: ComponentChildren;
}

const Progress = ({ step }: { step: number }) => (
  <div class="steps">
    <p>{fill(texts.progress, { step, steps })}</p>
    <div class="dots" aria-hidden="true">
      {Array.from({ length: steps }, (_, at) => (
        <span class={at < step ? 'dot reached' : 'dot'} />
      ))}
    </div>
  </div>
);

/** One screen. When it appears, its heading gets the focus for screen readers. */
function ScreenView({ heading, step, content }: Screen) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    announce('');
    window.scrollTo({ top: 0, behavior: 'instant' });
    title.current?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      {step !== undefined && <Progress step={step} />}
      <h1 tabIndex={-1} ref={title}>
        {heading}
      </h1>
      {content}
    </>
  );
}

function Page({ screen, number }: { screen: Screen; number: number }) {
  return (
    <>
      <PersonHeader {...settings} />
      <main class="person" data-screen={screen.name}>
        <ScreenView key={number} {...screen} />
      </main>
      <PersonFooter {...settings} language={document.documentElement.lang} />
      {/* These two elements stay even if empty, because screen readers announce only changes of existing elements. */}
      <p class="notice" role="status">
        {useStore(notice)}
      </p>
      <p class="unseen" role="status">
        {useStore(liveText)}
      </p>
    </>
  );
}

let shownScreens = 0;

/** Shows a screen in place of the earlier screen. Each call shows a new screen, even if the name is the same. */
export function showScreen(screen: Screen): void {
  const place = document.getElementById('app');
  if (!place) throw new Error('The shell has no element #app.');
  if (shownScreens === 0) place.replaceChildren();
  shownScreens += 1;
  document.title = `${screen.heading} · ${settings.brand}`;
  render(<Page screen={screen} number={shownScreens} />, place);
}

/** Shows the screen that `create` returns. Resolves when the screen calls `finish`, and rejects when it calls `fail`. */
export function askOnScreen<Answer>(
  create: (finish: (answer: Answer | PromiseLike<Answer>) => void, fail: (error: unknown) => void) => Screen,
): Promise<Answer> {
  return new Promise((resolve, reject) => showScreen(create(resolve, reject)));
}
