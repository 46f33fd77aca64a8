import '../app/style/app.css';
import { startApp } from '../app/app';
import { CodecPage } from './codec-page';
import { codecTexts } from './texts';

startApp({ signIn: codecTexts, Page: CodecPage });
