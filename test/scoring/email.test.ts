import { findEmail } from '../../scoring/evidence/email';
import { mailDomainOf } from '../../messages/mailboxes';
import { mailboxResemblance } from '../../scoring/names';

const find = (email: string, name?: string) =>
  findEmail({ documentType: 'CPF', document: '52998224725', email, ...(name ? { name } : {}) });

describe('the mail domain', () => {
  it.each(['a@mailinator.com', 'a@MAILINATOR.com', 'a@guerrillamail.com', 'a@any.33mail.com'])(
    'the mail domain of %s is disposable',
    (email) => {
      expect(find(email)).toEqual({ disposable: true, syntax: 'valid' });
    },
  );

  it.each(['a@gmail.com', 'a@empresa.com.br', 'a@notmailinator.community', 'a@mailinator.com.example.org'])(
    'the mail domain of %s is not disposable',
    (email) => {
      expect(find(email)).toEqual({ disposable: false, syntax: 'valid' });
    },
  );

  it.each(['nobody', '@example.org', ''])('the mail domain of "%s" is unknown', (email) => {
    expect(find(email)).toBeUndefined();
  });
});

describe('the dots of a mail address', () => {
  it.each(['.a@b.com', 'a.@b.com', 'a..b@c.com', '.@b.com', 'a@.b.com', 'a@b.com.', 'a@b..com'])(
    'the dots in %s are invalid',
    (email) => {
      expect(find(email)?.syntax).toBe('invalid');
    },
  );

  it.each(['a@b.com', 'a.b@c.com.br', 'a.b.c+d.e@f-g.com'])('the dots in %s are valid', (email) => {
    expect(find(email)?.syntax).toBe('valid');
  });
});

describe('the domain of the DNS query for a mail address', () => {
  it.each([
    ['A@Gmail.COM', 'gmail.com'],
    ['a@münchen.DE', 'xn--mnchen-3ya.de'],
    ['a@ÉMAIL.com.br', 'xn--mail-9oa.com.br'],
    ['a@b@c.com', 'c.com'],
    ['a@c.com ', 'c.com'],
  ])('the domain of the DNS query for %s is %s', (email, domain) => {
    expect(mailDomainOf(email)).toBe(domain);
  });

  it.each(['', 'nobody', '@c.com', 'a@', 'a@xn--a', 'a@b c'])('there is no domain to query for "%s"', (email) => {
    expect(mailDomainOf(email)).toBeUndefined();
  });
});

describe('a mailbox', () => {
  const name = 'João Carlos da Silva';

  it.each(['joao.silva', 'silva.joao', 'JOAO_SILVA', 'joaosilva', 'silvajoao', 'jsilva', 'joaocarlossilva', 'joaos'])(
    'the mailbox %s is built from the name',
    (mailbox) => {
      expect(mailboxResemblance(mailbox, name)).toBeGreaterThanOrEqual(0.95);
    },
  );

  it.each([
    'joao.silva1987',
    'joao.silva+loja',
    'jo.silva',
    'joaosilvaa',
    'joão.silva',
    'joao',
    'joao.carlos',
    'silva.joao.carlos',
  ])('the mailbox %s is similar to the name', (mailbox) => {
    expect(mailboxResemblance(mailbox, name)).toBeGreaterThanOrEqual(0.8);
  });

  it.each(['contato', 'vendas', 'financeiro', 'xpto', 'kleber.freitas', 'thebestgamer', 'admin'])(
    'the mailbox %s is not similar to the name',
    (mailbox) => {
      expect(mailboxResemblance(mailbox, name)).toBeLessThan(0.65);
    },
  );

  it('a mailbox is not compared if the mailbox or the name has no letters', () => {
    expect(mailboxResemblance('12345', name)).toBeUndefined();
    expect(mailboxResemblance('joao', '—')).toBeUndefined();
    expect(find('12345@gmail.com', name)).toEqual({ disposable: false, syntax: 'valid' });
  });

  const people = ['João Carlos da Silva', 'Maria Aparecida Souza', 'Ana Paula Oliveira', 'José Pereira', 'Camila Lima'];
  const mailboxesOf = (person: string) => {
    const [first = '', ...otherNames] = person.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().split(' ');
    const last = otherNames.at(-1) ?? '';
    return [`${first}.${last}`, `${first.slice(0, 1)}${last}`, `${last}${first}`, first, `${first}${otherNames[0]}`];
  };

  it.each(people)('a mailbox that is built from %s is similar to no other name', (owner) => {
    for (const mailbox of mailboxesOf(owner)) {
      for (const other of people) {
        const isSimilar = (mailboxResemblance(mailbox, other) ?? 0) >= 0.8;
        expect([mailbox, other, isSimilar]).toEqual([mailbox, other, other === owner]);
      }
    }
  });
});
