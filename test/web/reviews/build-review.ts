import { randomUUID } from 'node:crypto';
import type { Capture, CaptureKind, FaceFindings } from '../../../domain/biometrics/biometrics';
import type { ImageFinding } from '../../../domain/biometrics/capture';

/** A review as the API returns it, without the image URLs, which differ in each response. */
export interface Review {
  id: string;
  transactionId: string;
  status: string;
  createdAt: string;
  openedAt: string;
  consentedAt: string;
  submittedAt: string;
  identifierDate: string;
  language: string;
  person: { name?: string; birthdate?: string; documentType: string; document: string };
  /** What the caller gave when it requested the biometrics link. */
  given: { name?: string; birthdate?: string };
  scores: { value: number; reason: string; createdAt: string }[];
  captures: Record<CaptureKind, Omit<Capture, 'imageId'>>;
  faces?: FaceFindings;
  decision?: { status: string; reason: string; by: string; at: string };
  findings: ImageFinding[];
}

const capturedAt = '2026-03-02T10:20:00.000Z';
const capture = { at: capturedAt, width: 2_560, height: 1_707, sharpness: 412.4, brightness: 131.7 };

/** An open review with three good images. `changes` replaces fields. */
export function buildReview(changes: Partial<Review> = {}): Review {
  return {
    id: randomUUID(),
    transactionId: randomUUID(),
    status: 'Processing',
    createdAt: '2026-03-02T10:00:00.000Z',
    openedAt: '2026-03-02T10:15:00.000Z',
    consentedAt: '2026-03-02T10:16:00.000Z',
    submittedAt: '2026-03-02T10:21:00.000Z',
    identifierDate: '2026-03-02T09:59:00.000Z',
    language: 'pt-BR',
    person: { name: 'Maria Silva', birthdate: '1990-05-03', documentType: 'CPF', document: '52998224725' },
    given: {},
    scores: [{ value: 71, reason: 'Initial', createdAt: '2026-03-02T10:00:01.000Z' }],
    captures: { documentFront: capture, documentBack: capture, selfie: { ...capture, width: 1_280, height: 1_707 } },
    findings: [],
    ...changes,
  };
}
