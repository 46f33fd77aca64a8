import type { NotFoundTexts } from './texts';

export const en: NotFoundTexts = {
  heading: 'This page does not exist',
  text: 'Check the address. If it is from a message, open the whole link.',
  operation: (operation) => `Did you mean \`${operation}\`?`,
  page: (path) => `Open ${path}`,
  docs: 'Documentation',
};
