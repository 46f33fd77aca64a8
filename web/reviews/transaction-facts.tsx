import type { ComponentChildren } from 'preact';
import { Birthdate, isSameDay, Time } from '../app/dates';
import { useTexts } from '../app/use-texts';
import { Card } from '../kit/card';
import { DescriptionList } from '../kit/description-list';
import { Icon } from '../kit/icon';
import type { Review } from './review-types';
import { reviewTexts } from './texts';

/** A name in the form for a comparison: without extra spaces, and in small letters. */
const normalizeName = (name: string) => name.normalize('NFC').trim().replace(/\s+/g, ' ').toLocaleLowerCase();

interface ComparedProps {
  ofTransaction: string | undefined;
  ofLink: string | undefined;
  areEqual: (one: string, other: string) => boolean;
  show: (value: string) => ComponentChildren;
}

/** One value of the person in the transaction. If the caller gave another value for the biometrics link, shows both values. */
function Compared({ ofTransaction, ofLink, areEqual, show }: ComparedProps) {
  const { facts } = useTexts(reviewTexts);
  const value = ofTransaction === undefined ? <span class="soft">{facts.notGiven}</span> : show(ofTransaction);
  const isEqual = ofLink === undefined || (ofTransaction !== undefined && areEqual(ofTransaction, ofLink));
  if (isEqual) return <>{value}</>;
  return (
    <>
      {value}
      <span class="differs">
        <Icon name="warning" />
        {facts.givenForLink} {show(ofLink)}
      </span>
    </>
  );
}

const bdi = (text: string) => <bdi>{text}</bdi>;

/** A value from 0 to 1 in percent, such as "87 %". */
const percentOf = (share: number | undefined) => share !== undefined && `${Math.round(share * 100)} %`;

function Faces({ faces }: { faces: NonNullable<Review['faces']> }) {
  const { facts } = useTexts(reviewTexts);
  const { similarity, liveness, selfieFaces, documentFaces, notes } = faces;
  return (
    <DescriptionList
      entries={[
        [facts.similarity, percentOf(similarity)],
        [facts.liveness, percentOf(liveness)],
        [facts.selfieFaces, selfieFaces],
        [facts.documentFaces, documentFaces],
        [
          facts.notes,
          notes?.length > 0 &&
            notes.map((note, index) => (
              <>
                {index > 0 && ', '}
                <bdi>{note}</bdi>
              </>
            )),
        ],
      ]}
    />
  );
}

/** Cards with the data of the person and of the images. */
export function TransactionFacts({ review }: { review: Review }) {
  const { facts } = useTexts(reviewTexts);
  const { person, given, scores, faces } = review;
  return (
    <div class="facts">
      <Card heading={facts.person}>
        <DescriptionList
          entries={[
            [
              facts.name,
              <Compared
                ofTransaction={person.name}
                ofLink={given.name}
                areEqual={(one, other) => normalizeName(one) === normalizeName(other)}
                show={bdi}
              />,
            ],
            [
              facts.born,
              <Compared
                ofTransaction={person.birthdate}
                ofLink={given.birthdate}
                areEqual={isSameDay}
                show={(text) => <Birthdate text={text} />}
              />,
            ],
            [person.documentType, <bdi class="mono">{person.document}</bdi>],
          ]}
        />
      </Card>
      <Card heading={facts.faces}>{faces ? <Faces faces={faces} /> : <p class="soft">{facts.notCompared}</p>}</Card>
      <Card heading={facts.scores}>
        {scores.length === 0 && <p class="soft">{facts.noScore}</p>}
        <ul class="scores">
          {scores.map(({ value, reason, createdAt }) => (
            <li key={createdAt}>
              <span class="strong">{value}</span> <bdi>{reason}</bdi>{' '}
              <span class="soft">
                <Time iso={createdAt} />
              </span>
            </li>
          ))}
        </ul>
      </Card>
      <Card heading={facts.timeline}>
        <DescriptionList
          entries={[
            [facts.created, <Time iso={review.createdAt} />],
            [facts.opened, <Time iso={review.openedAt} />],
            [facts.consented, <Time iso={review.consentedAt} />],
            [facts.submitted, <Time iso={review.submittedAt} />],
          ]}
        />
      </Card>
    </div>
  );
}
