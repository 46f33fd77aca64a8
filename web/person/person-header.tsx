/** Who asks the person: the brand of the service, at the top of a person's page. */
export const PersonHeader = ({ brand, logo }: { brand: string; logo: string }) => (
  <header class="person-header">
    <img src={logo} alt="" width="24" height="24" />
    {brand}
  </header>
);
