import { useState } from 'preact/hooks';
import { appTexts } from '../app/app-texts';
import { useTexts } from '../app/use-texts';
import { Button } from '../kit/button';
import { Dialog } from '../kit/dialog';
import { Icon } from '../kit/icon';
import { deleteAll } from './inbox-api';
import { inboxTexts } from './inbox-texts';
import { attempt } from './actions';

/** The button that deletes all messages, and the dialog that asks first. */
export function DeleteAll() {
  const { deleteAll: texts } = useTexts(inboxTexts);
  const { close } = useTexts(appTexts);
  const [isOpen, setOpen] = useState(false);
  const closeDialog = () => setOpen(false);
  return (
    <>
      <Button tone="small" aria-label={texts.open} title={texts.open} onClick={() => setOpen(true)}>
        <Icon name="bin" />
      </Button>
      {isOpen && (
        <Dialog title={texts.title} close={close} onClose={closeDialog}>
          <p>{texts.text}</p>
          <div class="form-actions">
            <Button
              tone="main"
              onClick={() => {
                closeDialog();
                attempt(deleteAll());
              }}
            >
              {texts.confirm}
            </Button>
            <Button onClick={closeDialog}>{texts.cancel}</Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
