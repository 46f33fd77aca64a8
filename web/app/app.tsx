import type { ComponentType } from 'preact';
import { render } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../kit/button';
import { SelectField } from '../kit/field';
import { Frame } from '../kit/frame';
import { currentAccess, openGate, signOut } from './access';
import { appTexts } from './app-texts';
import { chooseLanguage, currentLanguage, languageNames, languageOf, languages, loadLanguage } from './language';
import { liveText, notice } from './messages';
import { readSharedSettings } from './settings';
import { SignIn, type SignInTexts } from './sign-in';
import { useStore } from './store';
import { type TextTables, useTexts } from './use-texts';
import { tabTitle, waitingInTab } from './view';

function LanguageSwitch() {
  const texts = useTexts(appTexts);
  return (
    <SelectField
      label={texts.language}
      isSmall
      value={useStore(currentLanguage)}
      options={languages.map((language) => ({ value: language, label: languageNames[language] }))}
      onChange={(value) => chooseLanguage(languageOf(value))}
    />
  );
}

/** The name of the client in the bar, with the button to sign out. */
function Account() {
  const texts = useTexts(appTexts);
  const access = useStore(currentAccess);
  if (useStore(openGate) || !access) return null;
  if (access.note) return <span class="soft small">{access.note}</span>;
  return (
    <span class="account">
      <span>
        {texts.signedInWith} <bdi>{access.name}</bdi>
      </span>
      <Button tone="small" onClick={signOut}>
        {texts.signOut}
      </Button>
    </span>
  );
}

export interface AppProps {
  /** The text tables of the sign-in form. A page without them has no sign-in. */
  signIn?: TextTables<{ signIn: SignInTexts }>;
  /** Whether the user can choose the language. Default: true on a page with a sign-in. */
  hasLanguages?: boolean;
  /** The content of the page. */
  Page: ComponentType;
}

/** Shows the page. While the sign-in form is open, shows the form and hides the page. The hidden page keeps what the user has typed. */
function Content({ signIn, Page }: AppProps) {
  const gate = useStore(openGate);
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!gate) return undefined;
    const focused = document.activeElement;
    // An open dialog would cover the sign-in form.
    for (const dialog of document.querySelectorAll<HTMLDialogElement>('dialog[open]')) dialog.close();
    return () => {
      if (focused instanceof HTMLElement && place.current?.contains(focused)) focused.focus();
    };
  }, [gate]);
  return (
    <main class="app" id="main">
      {gate && signIn && <SignInForm tables={signIn} />}
      <div hidden={gate !== undefined} ref={place}>
        <Page />
      </div>
    </main>
  );
}

function SignInForm({ tables }: { tables: TextTables<{ signIn: SignInTexts }> }) {
  const gate = useStore(openGate);
  const { signIn } = useTexts(tables);
  return gate ? <SignIn gate={gate} texts={signIn} /> : null;
}

function App({ hasLanguages, ...props }: AppProps) {
  const { brand, logo } = readSharedSettings();
  const texts = useTexts(appTexts);
  const isSigningIn = useStore(openGate) !== undefined;
  const [tab, waiting] = [useStore(tabTitle), useStore(waitingInTab)];
  useLayoutEffect(() => {
    document.title = `${waiting && `(${waiting}) `}${isSigningIn ? texts.signIn.tab : tab} · ${brand}`;
  }, [tab, waiting, isSigningIn, texts, brand]);
  return (
    <Frame
      brand={brand}
      logo={logo}
      skip={texts.skip}
      actions={
        hasLanguages && (
          <div class="bar-actions">
            {props.signIn && <Account />}
            <LanguageSwitch />
          </div>
        )
      }
    >
      <Content {...props} />
      {/* These two elements stay even if empty, because screen readers announce only changes of existing elements. */}
      <p class="notice" role="status">
        {useStore(notice)}
      </p>
      <p class="unseen" id="live" role="status">
        {useStore(liveText)}
      </p>
    </Frame>
  );
}

/**
 * Starts the script of an app page: one of the pages codec, flows, inbox and reviews. The script replaces the HTML that
 * web/server/shell.tsx rendered.
 */
export function startApp(props: AppProps): void {
  const place = document.getElementById('app');
  if (!place) throw new Error('The shell has no element #app.');
  const { hasLanguages = props.signIn !== undefined } = props;
  loadLanguage({ canChoose: hasLanguages });
  tabTitle.set(readSharedSettings().title);
  // A page that the browser shows from its back/forward cache has old data, so it loads again.
  window.addEventListener('pageshow', (event) => event.persisted && location.reload());
  place.replaceChildren();
  render(<App {...props} hasLanguages={hasLanguages} />, place);
}
