import { type ApiRoute, transactionPath, withBody } from '../http/route';
import { erasureBody, exportBody } from './document-body';
import { eraseOne, erasePerson } from './erase';
import { exportPerson } from './export-person';
import * as responses from './responses';

/** Erasure and export of personal data; not in SPEC. */
export const privacyRoutes: readonly ApiRoute[] = [
  {
    operationId: 'eraseTransaction',
    method: 'delete',
    path: transactionPath,
    scope: 'privacy',
    summary: 'Erase all data of a transaction, also in histories and backups',
    responses: { 200: responses.erasure },
    handler: eraseOne,
  },
  withBody({
    operationId: 'exportPerson',
    method: 'post',
    path: '/v1/privacy/export',
    scope: 'privacy',
    summary: 'Export everything that the tenant has about a document',
    body: () => exportBody,
    example: { documentType: 'CPF', document: '11144477735' },
    responses: { 200: responses.personExport },
    isLongRead: true,
    handler: exportPerson,
  }),
  withBody({
    operationId: 'erasePerson',
    method: 'post',
    path: '/v1/privacy/erasure',
    scope: 'privacy',
    summary: 'Erase all transactions of a document',
    body: () => erasureBody,
    example: { documentType: 'CPF', document: '11144477735' },
    responses: { 200: responses.personErasure },
    handler: erasePerson,
  }),
];
