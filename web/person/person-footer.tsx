import type { PersonBrandProps } from '../api-types';
import { languageOf } from '../app/language';

/** The label of the link for help. */
const labels = {
  'pt-BR': (brand: string) => `Ajuda de ${brand}`,
  en: (brand: string) => `Help from ${brand}`,
  es: (brand: string) => `Ayuda de ${brand}`,
};

type PersonFooterProps = Pick<PersonBrandProps, 'brand' | 'supportUrl'> & { language: string };

/** The link for help, at the end of each page for a person. Nothing, if the brand has no such link. */
export const PersonFooter = ({ brand, supportUrl, language }: PersonFooterProps) =>
  supportUrl === undefined ? null : (
    <footer class="person-footer">
      <a href={supportUrl} target="_blank" rel="noopener noreferrer">
        {labels[languageOf(language)](brand)}
      </a>
    </footer>
  );
