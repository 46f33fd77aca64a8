import '../kit/style/kit.css';
import '../site/style/site.css';
import { addCopyButtons } from './copy-buttons';
import { markCurrentHeading } from './current-heading';
import { showStatus } from './show-status';

addCopyButtons();
markCurrentHeading();
void showStatus();

const searchButton = document.querySelector<HTMLButtonElement>('[data-search]');
const openSearch = async () => {
  const { showSearch } = await import('./search');
  showSearch(document.body.dataset['searchIndex'] ?? '');
};
if (searchButton) {
  searchButton.hidden = false;
  searchButton.addEventListener('click', () => void openSearch());
}
document.addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof Element && event.target.closest('input, textarea, dialog') !== null;
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  void openSearch();
});

// Few readers of the API reference try an operation, so the code of its form is loaded only when a reader opens the form.
const openForm = async (details: HTMLElement) => {
  const { showForm } = await import('./try-it');
  showForm(details);
};
for (const details of document.querySelectorAll<HTMLElement>('[data-try]'))
  details.addEventListener('toggle', () => void openForm(details), { once: true });
