import type { OpenRoute } from '../../http/route';
import { showStyle, showPage, takeAnswer } from './hosted-page';

/** The hosted page behind links in messages. */
export const confirmationPages: readonly OpenRoute[] = [
  {
    method: 'get',
    path: '/confirm/style.css',
    summary: 'Style of the page',
    answers: { 200: '' },
    serve: showStyle,
    undocumented: true,
  },
  {
    method: 'get',
    path: '/confirm/{token}',
    summary: "The person's page",
    answers: { 200: '' },
    serve: showPage,
    undocumented: true,
  },
  {
    method: 'post',
    path: '/confirm/{token}',
    summary: "The person's answer",
    answers: { 200: '' },
    serve: takeAnswer,
    undocumented: true,
  },
];
