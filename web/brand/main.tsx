import '../app/style/app.css';
import './brand.css';
import { startApp } from '../app/app';
import { BrandPage } from './brand-page';
import { brandTexts } from './texts';

startApp({ signIn: brandTexts, Page: BrandPage });
