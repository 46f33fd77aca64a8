import { type GuideGroup, guideGroups } from './guides';

const Group = ({ title, guides }: GuideGroup) => (
  <section>
    <h2>{title}</h2>
    <ul class="cards">
      {guides.map((guide) => (
        <li class="card">
          <h3>
            <a href={`/docs/${guide.slug}`}>{guide.title}</a>
          </h3>
          <p>{guide.purpose}</p>
        </li>
      ))}
    </ul>
  </section>
);

/** The list of all guides. */
export const Overview = () => (
  <>
    {guideGroups.map((group) => (
      <Group {...group} />
    ))}
    <section>
      <h2>Reference</h2>
      <ul class="cards">
        <li class="card">
          <h3>
            <a href="/docs/api">API reference</a>
          </h3>
          <p>Every operation, with its fields, its errors and a form to call it.</p>
        </li>
        <li class="card">
          <h3>
            <a href="/docs/problems">Problems</a>
          </h3>
          <p>Every problem code: what is wrong, and what to do.</p>
        </li>
        <li class="card">
          <h3>
            <a href="/docs/decisions">Decisions</a>
          </h3>
          <p>The reasons behind the design.</p>
        </li>
      </ul>
    </section>
  </>
);
