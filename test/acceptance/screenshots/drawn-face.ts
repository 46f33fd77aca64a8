/** The content of an SVG, 400 by 500. */
export const drawnFace = `
  <path d="M40 500c4-74 62-100 118-112h84c56 12 114 38 118 112z" fill="#2f5d73"/>
  <path d="M158 388c10 34 74 34 84 0l-6-12h-72z" fill="#f4f1ea"/>
  <path d="M164 330h72v52c0 26-72 26-72 0z" fill="#c98f6b"/>
  <path d="M164 348c14 22 58 22 72 0v14c-16 20-56 20-72 0z" fill="#a8714f" opacity=".6"/>
  <path d="M92 250c-16-126 36-190 108-190s124 64 108 190c-4 44-10 96-22 128l-26-6V180H140v192l-26 6c-12-32-18-84-22-128z" fill="#3a2418"/>
  <ellipse cx="111" cy="232" rx="15" ry="26" fill="#c98f6b"/>
  <ellipse cx="289" cy="232" rx="15" ry="26" fill="#c98f6b"/>
  <path d="M116 204c0-76 34-112 84-112s84 36 84 112c0 92-40 156-84 156s-84-64-84-156z" fill="#dca680"/>
  <path d="M116 214c-2-82 30-130 84-130s86 48 84 130c-8-40-26-64-50-78-34 22-86 30-104 36-8 12-12 26-14 42z" fill="#3a2418"/>
  <path d="M134 170c40-2 82-16 106-38" fill="none" stroke="#5b3a28" stroke-width="4" stroke-linecap="round"/>
  <path d="M140 206c12-10 30-10 42-2M218 204c12-8 30-8 42 2" fill="none" stroke="#3a2418" stroke-width="7" stroke-linecap="round"/>
  <path d="M142 230c10-12 30-12 40 0-10 10-30 10-40 0zM218 230c10-12 30-12 40 0-10 10-30 10-40 0z" fill="#fffaf4"/>
  <circle cx="162" cy="229" r="9" fill="#4a3526"/><circle cx="238" cy="229" r="9" fill="#4a3526"/>
  <circle cx="165" cy="226" r="3" fill="#fff"/><circle cx="241" cy="226" r="3" fill="#fff"/>
  <path d="M142 230c10-12 30-12 40 0M218 230c10-12 30-12 40 0" fill="none" stroke="#2a1910" stroke-width="4" stroke-linecap="round"/>
  <path d="M202 228c2 18 10 30 8 38-2 6-14 8-22 4" fill="none" stroke="#a8714f" stroke-width="5" stroke-linecap="round"/>
  <path d="M166 302c14-8 24-10 34-6 10-4 20-2 34 6-10 18-22 24-34 24s-24-6-34-24z" fill="#b45c52"/>
  <path d="M166 302c22 8 46 8 68 0" fill="none" stroke="#7d352f" stroke-width="4" stroke-linecap="round"/>
  <ellipse cx="142" cy="272" rx="17" ry="12" fill="#d98c74" opacity=".45"/>
  <ellipse cx="258" cy="272" rx="17" ry="12" fill="#d98c74" opacity=".45"/>`;
