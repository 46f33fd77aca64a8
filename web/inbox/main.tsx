import '../app/style/app.css';
import './style/inbox.css';
import { startApp } from '../app/app';
import { Inbox } from './inbox';

startApp({ Page: Inbox, hasLanguages: true });
