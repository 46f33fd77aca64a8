/** A message template, as in the Content API of Twilio. */
export interface ContentTemplate {
  sid: string;
  friendlyName: string | null;
  language: string;
  variables: Record<string, string>;
  types: {
    'twilio/text'?: { body: string } | undefined;
    'whatsapp/authentication'?:
      | {
          add_security_recommendation: boolean;
          code_expiration_minutes?: number | undefined;
          actions: { copy_code_text: string }[];
        }
      | undefined;
    'twilio/quick-reply'?: { body: string; actions: { title: string; id: string }[] } | undefined;
  };
  createdAt: string;
  /** What WhatsApp has decided. Absent: nobody has asked. */
  approval?: TemplateApproval;
}

export interface TemplateApproval {
  name: string;
  category: string;
  status: 'approved' | 'rejected';
  rejectionReason: string;
}
