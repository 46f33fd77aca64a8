import '../app/style/app.css';
import './style/reviews.css';
import { startApp } from '../app/app';
import { ReviewsPage } from './reviews-page';
import { reviewTexts } from './texts';

startApp({ signIn: reviewTexts, Page: ReviewsPage });
