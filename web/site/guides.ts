/** A guide on the site, made from a Markdown file. */
export interface Guide {
  /** The last part of the URL of the guide, below /docs. */
  slug: string;
  /** The Markdown file, relative to the repository. */
  file: string;
  title: string;
  /** What a reader can do with the guide, for the overview. */
  purpose: string;
  /** The level-2 sections to show. Default: the whole file. */
  sections?: readonly string[];
}

export interface GuideGroup {
  title: string;
  guides: readonly Guide[];
}

/** The guides in reading order. A test checks that each file in docs/ is in this list. */
export const guideGroups: readonly GuideGroup[] = [
  {
    title: 'Start',
    guides: [
      {
        slug: 'quickstart',
        file: 'README.md',
        title: 'Quickstart',
        purpose: 'Start the service, create a transaction and confirm a phone.',
        sections: ['Start', 'Try it in one minute', 'Run it in production', 'Limits of this version'],
      },
      {
        slug: 'calling-the-api',
        file: 'docs/api.md',
        title: 'Call the API',
        purpose: 'Access tokens, scopes, retries, limits and errors.',
      },
      {
        slug: 'status-and-events',
        file: 'docs/status-and-events.md',
        title: 'Status and events',
        purpose: 'Read the status of a transaction, list and search transactions, and wait for events.',
      },
      {
        slug: 'webhooks',
        file: 'docs/webhooks.md',
        title: 'Webhooks',
        purpose: 'Receive events on your server, and verify them.',
      },
      {
        slug: 'client',
        file: 'docs/client.md',
        title: 'Clients',
        purpose: 'Call the API from TypeScript, JavaScript or Python.',
      },
      {
        slug: 'test-mode',
        file: 'docs/test-mode.md',
        title: 'Test mode',
        purpose: 'Test with phones, mailboxes and documents that have fixed outcomes.',
      },
    ],
  },
  {
    title: 'Build',
    guides: [
      {
        slug: 'flows',
        file: 'docs/flows.md',
        title: 'Flows',
        purpose: 'Define your own steps, test them and deploy them.',
      },
      {
        slug: 'flow-examples',
        file: 'docs/flow-examples.md',
        title: 'Flow examples',
        purpose: 'Start from one of four complete flows.',
      },
      {
        slug: 'flow-reference',
        file: 'docs/flow-reference.md',
        title: 'Flow reference',
        purpose: 'Steps, exits, conditions, versions and the API of flow runs.',
      },
      {
        slug: 'biometrics',
        file: 'docs/biometrics.md',
        title: 'Biometrics',
        purpose: 'Verify a document and a face.',
      },
      {
        slug: 'embedding',
        file: 'docs/embedding.md',
        title: 'Return URLs and frames',
        purpose: 'Send the person back to your site, or show a page inside it.',
      },
      {
        slug: 'scoring',
        file: 'docs/scoring.md',
        title: 'Scoring',
        purpose: 'Understand a score, or change the scoring policy.',
      },
      {
        slug: 'fraud',
        file: 'docs/fraud.md',
        title: 'Fraud',
        purpose: 'Deny phones, mailboxes and persons, measure the conversion of messages, and handle opt-outs.',
      },
    ],
  },
  {
    title: 'Operate',
    guides: [
      {
        slug: 'operators',
        file: 'docs/operators.md',
        title: 'Operations',
        purpose: 'Find the guide for each task of an operator.',
      },
      {
        slug: 'deployment',
        file: 'docs/deployment.md',
        title: 'Deployment',
        purpose: 'Run the service in production, with Helm, Docker Compose or plain processes.',
      },
      {
        slug: 'brand',
        file: 'docs/brand.md',
        title: 'Brand',
        purpose: 'Give messages, mails and pages your name, color, logo and languages.',
      },
      {
        slug: 'messaging',
        file: 'docs/messaging.md',
        title: 'Messaging',
        purpose: 'Send by several providers, which take over from each other.',
      },
      {
        slug: 'gateways',
        file: 'docs/gateways.md',
        title: 'Gateways',
        purpose: 'Send SMS by Infobip, Vonage, or any other HTTP API.',
      },
      {
        slug: 'monitoring',
        file: 'docs/monitoring.md',
        title: 'Monitoring',
        purpose: 'Metrics, objectives, alerts and dashboards.',
      },
      {
        slug: 'runbooks',
        file: 'docs/runbooks.md',
        title: 'Runbooks',
        purpose: 'What to do when an alert fires, or when somebody reports a problem.',
      },
      {
        slug: 'temporal',
        file: 'docs/temporal.md',
        title: 'Transactions in Temporal',
        purpose: 'Find, read and stop a transaction in the Temporal UI.',
      },
      {
        slug: 'upgrades',
        file: 'docs/upgrades.md',
        title: 'Upgrades and rollback',
        purpose: 'Deploy a release while transactions are open, or return to the release before.',
      },
      {
        slug: 'connections',
        file: 'docs/connections.md',
        title: 'Connections',
        purpose: 'Connect to Temporal and Postgres in production, and stop behind a balancer.',
      },
      {
        slug: 'keys',
        file: 'docs/keys.md',
        title: 'Clients and keys',
        purpose: 'Add callers, change their secrets, and rotate the keys of the service.',
      },
      {
        slug: 'backup',
        file: 'docs/backup.md',
        title: 'Backup and restore',
        purpose: 'Back up a running service, restore it, and apply erasures again.',
      },
      {
        slug: 'capacity',
        file: 'docs/capacity.md',
        title: 'Capacity',
        purpose: 'Plan processes, memory and databases.',
      },
      {
        slug: 'performance',
        file: 'docs/performance.md',
        title: 'Performance',
        purpose: 'Compare the service with what you would build instead.',
      },
      {
        slug: 'flow-operations',
        file: 'docs/flow-operations.md',
        title: 'Flow operations',
        purpose: 'See where flow runs are, and stop the flow runs of a version.',
      },
      {
        slug: 'configuration',
        file: 'docs/configuration.md',
        title: 'Configuration',
        purpose: 'Look up a setting and its default.',
      },
      {
        slug: 'security',
        file: 'docs/security.md',
        title: 'Security',
        purpose: 'Review the threat model, the mitigations and the residual risks.',
      },
      {
        slug: 'security-checklists',
        file: 'docs/security-checklists.md',
        title: 'Security checklists',
        purpose: 'Compare the service with OWASP, NIST and the LGPD.',
      },
    ],
  },
  {
    title: 'More',
    guides: [
      { slug: 'glossary', file: 'docs/glossary.md', title: 'Glossary', purpose: 'Look up a term.' },
      {
        slug: 'architecture',
        file: 'docs/architecture.md',
        title: 'Architecture',
        purpose: 'Understand the architecture, and follow a request.',
      },
      {
        slug: 'contributing',
        file: 'docs/contributing.md',
        title: 'Contributing',
        purpose: 'Change the code, and run its checks and tests.',
      },
      {
        slug: 'benchmarks',
        file: 'bench/README.md',
        title: 'Benchmarks',
        purpose: 'See what was measured, and how to reproduce it.',
      },
      { slug: 'changelog', file: 'CHANGELOG.md', title: 'Changelog', purpose: 'See what changed.' },
    ],
  },
];

export const guides: readonly Guide[] = guideGroups.flatMap((group) => group.guides);
