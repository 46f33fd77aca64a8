import { useState } from 'preact/hooks';
import { Button } from '../../kit/button';
import { TextField } from '../../kit/field';
import { hashes } from '../addresses';
import { useFlowsTexts } from '../flows-texts';

/** Finds the runs of a transaction by its id. */
export function FindRuns({ transaction = '' }: { transaction?: string }) {
  const { findRuns } = useFlowsTexts();
  const [id, setId] = useState(transaction);
  return (
    <form
      class="find"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        if (id.trim()) location.hash = hashes.runs(id.trim());
      }}
    >
      <TextField
        label={findRuns.label}
        required
        maxLength={100}
        value={id}
        onInput={({ currentTarget }) => setId(currentTarget.value)}
      />
      <Button type="submit">{findRuns.submit}</Button>
    </form>
  );
}
