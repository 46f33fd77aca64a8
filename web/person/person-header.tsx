import type { PersonBrandProps } from '../api-types';

/** The logo and the name of the brand, at the top of each page for a person. The brand says who asks the person. */
export const PersonHeader = ({ brand, logo, logoSize }: Pick<PersonBrandProps, 'brand' | 'logo' | 'logoSize'>) => (
  <header class="person-header">
    <img class={logoSize ? 'person-logo' : undefined} src={logo} alt="" {...(logoSize ?? { width: 24, height: 24 })} />
    {brand}
  </header>
);
