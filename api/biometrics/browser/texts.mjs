const page = document.getElementById('page');
const { brand, days } = page.dataset;

/** The path of the link, without a slash at the end. */
export const linkPath = page.dataset.base;

const fillAll = (value) => {
  if (typeof value === 'string') return fill(value, { brand, days });
  if (Array.isArray(value)) return value.map(fillAll);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fillAll(inner)]));
};

/** Replaces placeholders such as {{name}} by values. A placeholder without a value stays. */
export function fill(text, values) {
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name) => values[name] ?? whole);
}

/** The texts of the page in the person's language. */
export const texts = fillAll(JSON.parse(page.dataset.texts));
