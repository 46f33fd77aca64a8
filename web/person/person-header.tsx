/** The logo and the brand of the service, at the top of each page for a person. The brand says who asks the person. */
export const PersonHeader = ({ brand, logo }: { brand: string; logo: string }) => (
  <header class="person-header">
    <img src={logo} alt="" width="24" height="24" />
    {brand}
  </header>
);
