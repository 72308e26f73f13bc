import './set-language.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { takeKeyFromUrl } from './session.ts';
import './styles.css';

takeKeyFromUrl();
const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element with the id "root".');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
