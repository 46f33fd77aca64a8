import type { NotFoundTexts } from './texts';

export const ptBr: NotFoundTexts = {
  heading: 'Esta página não existe',
  text: 'Verifique o endereço. Se ele veio de uma mensagem, abra o link completo.',
  operation: (operation) => `Você quis dizer \`${operation}\`?`,
  page: (path) => `Abrir ${path}`,
  docs: 'Documentação',
};
