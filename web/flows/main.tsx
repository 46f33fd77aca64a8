import '../app/style/app.css';
import './style/flows.css';
import { setAccessSource, signIn } from '../app/access';
import { startApp } from '../app/app';
import { request } from '../app/request';
import { readSettings } from '../app/settings';
import { textsNow } from '../app/use-texts';
import { warnBeforeLeaving } from './editor/drafts';
import { flowsTexts } from './flows-texts';
import { Page } from './page';

// On a local stack, no sign-in is needed, because the service gives a token to the page. If the API rejects the token, the
// sign-in form opens.
if (readSettings('flows').opensWithoutSignIn)
  setAccessSource(async (reason) => {
    const answer = reason === 'rejected' ? undefined : await request('/flows/session');
    if (answer?.status !== 200) return signIn(reason);
    const { localStack, localStackName } = textsNow(flowsTexts);
    return { token: (answer.body as { token: string }).token, name: localStackName, note: localStack };
  });
warnBeforeLeaving();
startApp({ signIn: flowsTexts, Page });
