import type { NotFoundTexts } from './texts';

export const es: NotFoundTexts = {
  heading: 'Esta página no existe',
  text: 'Compruebe la dirección. Si viene de un mensaje, abra el enlace completo.',
  operation: (operation) => `¿Quiso decir \`${operation}\`?`,
  page: (path) => `Abrir ${path}`,
  docs: 'Documentación',
};
