/** All workflows, for the bundle that the workers load. */
export { readiness } from './readiness.workflow';
export { retention } from './retention.workflow';
export { transaction } from './transaction.workflow';
export { webhookDelivery } from './webhook-delivery.workflow';
