/**
 * A part of a domain; `code` includes the domain, because two domains may have subdomains of the same name (spec §2.9).
 */
export interface Subdomain {
  readonly code: string;
  readonly title: string;
}

export interface Domain {
  readonly code: string;
  readonly title: string;
  readonly subdomains: readonly Subdomain[];
}

/** Domain code → its title, and the titles of its subdomains by their own codes. */
const CATALOG: Readonly<Record<string, readonly [title: string, parts: Readonly<Record<string, string>>]>> = {
  academic_education: [
    'School and university',
    {
      stem: 'Mathematics and natural sciences in class',
      humanities: 'Literature, history and arts in class',
      teaching_methods: 'Lesson planning and teaching',
      study_skills: 'Learning and exam preparation',
      research_methods: 'Research design and academic writing',
    },
  ],
  agriculture: [
    'Farming and food production',
    {
      crops: 'Growing crops',
      livestock: 'Keeping animals',
      soil_water: 'Soil and irrigation',
      machinery: 'Farm machinery',
      wildlife: 'Wildlife on farmland',
    },
  ],
  animals_nature: [
    'Animals and nature',
    {
      wildlife: 'Wild animals',
      pets: 'Pets and their care',
      plants: 'Plants and fungi',
      ecosystems: 'Habitats and ecosystems',
      conservation: 'Nature conservation',
    },
  ],
  architecture_construction: [
    'Building and construction',
    {
      design: 'Planning of buildings',
      materials: 'Building materials',
      site_work: 'Work on site and safety',
      renovation: 'Renovation',
    },
  ],
  art: [
    'Visual arts',
    {
      painting_drawing: 'Painting and drawing',
      illustration: 'Illustration',
      digital_art: 'Digital art',
      sculpture: 'Sculpture and crafts of form',
      art_history: 'Art history and criticism',
    },
  ],
  astronomy_space: [
    'Astronomy and spaceflight',
    {
      solar_system: 'The solar system',
      stars_galaxies: 'Stars and galaxies',
      spaceflight: 'Rockets and missions',
      observation: 'Watching the sky',
    },
  ],
  automotive: [
    'Cars and motorcycles',
    {
      maintenance: 'Maintenance and repair',
      buying: 'Buying and owning',
      electric: 'Electric driving',
      driving: 'Driving and traffic rules',
    },
  ],
  aviation_maritime: [
    'Aviation and shipping',
    {
      flying: 'Flying and aircraft',
      air_travel_operations: 'Airports and airlines',
      shipping: 'Ships and ports',
      navigation: 'Navigation and weather',
    },
  ],
  biology: [
    'Biology and life sciences',
    {
      cells_genetics: 'Cells and genetics',
      evolution: 'Evolution',
      microbiology: 'Microbes and viruses',
      anatomy: 'Anatomy and physiology',
      laboratory: 'Laboratory practice',
    },
  ],
  chemistry_materials: [
    'Chemistry and materials',
    {
      organic: 'Organic chemistry',
      inorganic: 'Inorganic and physical chemistry',
      materials: 'Materials and their properties',
      safety: 'Handling substances safely',
    },
  ],
  code: [
    'Programming',
    {
      algorithms: 'Algorithms and data structures',
      debugging: 'Finding and mending errors',
      web: 'Web development',
      databases: 'Databases and queries',
      testing: 'Tests and code review',
      systems: 'Systems and performance',
    },
  ],
  cooking_food: [
    'Cooking and food',
    {
      recipes: 'Recipes',
      techniques: 'Techniques and kitchen tools',
      baking: 'Baking',
      drinks: 'Drinks',
      food_safety: 'Storing food and food safety',
    },
  ],
  corporate_business: [
    'Running a business',
    {
      customer_service: 'Customer service',
      strategy: 'Strategy and planning',
      operations: 'Operations and supply chains',
      human_resources: 'Hiring and people',
      meetings_writing: 'Meetings and business writing',
    },
  ],
  crafts_diy: [
    'Crafts and home improvement',
    {
      woodworking: 'Woodworking',
      textiles: 'Sewing and knitting',
      home_repair: 'Repairs at home',
      models: 'Models and making',
    },
  ],
  cybersecurity: [
    'Security of information',
    {
      accounts: 'Accounts and passwords',
      networks: 'Defending networks',
      incidents: 'Responding to incidents',
      privacy: 'Privacy and data protection',
    },
  ],
  data_science: [
    'Data and statistics',
    {
      statistics: 'Statistics',
      machine_learning: 'Machine learning',
      visualization: 'Charts and dashboards',
      data_preparation: 'Cleaning and preparing data',
    },
  ],
  earth_climate: [
    'Earth and climate',
    {
      weather: 'Weather',
      climate: 'Climate change',
      geology: 'Rocks and geology',
      oceans: 'Oceans and water',
    },
  ],
  economics: [
    'Economics',
    {
      microeconomics: 'Markets and prices',
      macroeconomics: 'Growth, jobs and inflation',
      trade: 'International trade',
      public_finance: 'Taxes and public budgets',
    },
  ],
  energy: [
    'Energy',
    {
      renewables: 'Renewable energy',
      grid: 'Power grids and storage',
      buildings: 'Saving energy at home',
      fuels: 'Fuels and nuclear power',
    },
  ],
  engineering: [
    'Engineering',
    {
      mechanical: 'Mechanical engineering',
      electrical: 'Electrical engineering',
      civil: 'Civil engineering',
      quality: 'Quality and reliability',
    },
  ],
  entertainment_media: [
    'Film, television and media',
    {
      film: 'Films',
      television: 'Series and television',
      journalism: 'Journalism',
      social_media: 'Social media and creators',
    },
  ],
  environment_sustainability: [
    'Environment and sustainability',
    {
      waste: 'Waste and recycling',
      pollution: 'Pollution',
      sustainable_living: 'Sustainable living',
      policy: 'Environmental rules',
    },
  ],
  family_parenting: [
    'Family and children',
    {
      babies: 'Babies and toddlers',
      school_children: 'School children',
      teenagers: 'Teenagers',
      family_life: 'Living together',
      elder_care: 'Caring for the old',
    },
  ],
  fashion_beauty: [
    'Fashion and beauty',
    {
      clothing: 'Clothing and style',
      skin_hair: 'Skin and hair',
      textiles_care: 'Care of clothes',
      trends: 'Trends and history of dress',
    },
  ],
  fitness_sports: [
    'Sport and exercise',
    {
      training: 'Training plans',
      team_sports: 'Team sports',
      outdoor: 'Outdoor sports',
      rules: 'Rules and competitions',
      recovery: 'Recovery and injuries',
    },
  ],
  gaming: [
    'Games',
    {
      video_games: 'Video games',
      board_games: 'Board and card games',
      game_design: 'Designing games',
      puzzles: 'Puzzles and riddles',
    },
  ],
  government_civics: [
    'State and citizens',
    {
      public_services: 'Public services and forms',
      elections: 'Elections and parliaments',
      migration: 'Migration and visas',
      local_government: 'Cities and municipalities',
    },
  ],
  history: [
    'History',
    {
      ancient: 'Ancient history',
      medieval: 'Middle Ages',
      modern: 'Modern history',
      everyday_life: 'Everyday life in the past',
    },
  ],
  home_garden: [
    'House and garden',
    {
      gardening: 'Gardening',
      cleaning: 'Cleaning and order',
      interior: 'Interior design',
      appliances: 'Household appliances',
    },
  ],
  language_linguistics: [
    'Languages',
    {
      grammar: 'Grammar and style',
      translation: 'Translation',
      learning: 'Learning a language',
      etymology: 'Words and their origin',
    },
  ],
  legal: [
    'Law',
    {
      contracts: 'Contracts',
      consumer: 'Rights of consumers',
      employment: 'Employment law',
      family_law: 'Family and inheritance',
      intellectual_property: 'Copyright, patents and marks',
    },
  ],
  literature_writing: [
    'Literature and writing',
    {
      fiction: 'Stories and novels',
      poetry: 'Poetry',
      editing: 'Editing and style',
      literary_analysis: 'Reading and interpreting',
    },
  ],
  marketing_sales: [
    'Marketing and sales',
    {
      advertising: 'Advertising and copy',
      branding: 'Brands',
      online_marketing: 'Online marketing',
      selling: 'Selling and negotiating',
    },
  ],
  mathematics: [
    'Mathematics',
    {
      arithmetic: 'Arithmetic and everyday numbers',
      algebra: 'Algebra',
      geometry: 'Geometry',
      calculus: 'Calculus',
      probability: 'Probability and combinatorics',
    },
  ],
  medical: [
    'Medicine and health',
    {
      symptoms_diagnosis: 'Symptoms and diagnosis',
      preventive_care: 'Prevention',
      medication: 'Medicines',
      nutrition: 'Nutrition',
      chronic_conditions: 'Living with chronic illness',
    },
  ],
  music_performing_arts: [
    'Music and stage',
    {
      theory: 'Music theory',
      instruments: 'Playing instruments',
      production: 'Recording and production',
      theatre_dance: 'Theatre and dance',
    },
  ],
  personal_finance: [
    'Personal finance',
    {
      budgeting: 'Budgets and saving',
      investing: 'Investing',
      debt: 'Loans and debt',
      taxes: 'Taxes',
      retirement: 'Retirement and insurance',
    },
  ],
  philosophy_religion: [
    'Philosophy and religion',
    {
      ethics: 'Ethics',
      logic: 'Logic and argument',
      world_religions: 'Religions of the world',
      history_of_ideas: 'History of ideas',
    },
  ],
  physics: [
    'Physics',
    {
      mechanics: 'Motion and forces',
      electricity: 'Electricity and magnetism',
      heat: 'Heat and matter',
      modern: 'Relativity and quanta',
    },
  ],
  psychology_wellbeing: [
    'Mind and wellbeing',
    {
      emotions: 'Feelings and stress',
      relationships: 'Relationships',
      habits: 'Habits and motivation',
      cognition: 'Memory and thinking',
    },
  ],
  real_estate: [
    'Homes and property',
    {
      buying: 'Buying and selling',
      renting: 'Renting',
      mortgages: 'Mortgages',
      management: 'Managing property',
    },
  ],
  retail_ecommerce: [
    'Shops and online trade',
    {
      product_information: 'Products and their descriptions',
      orders_returns: 'Orders, shipping and returns',
      store_operations: 'Running a shop',
      reviews: 'Reviews and advice',
    },
  ],
  technology: [
    'Technology',
    {
      software_applications: 'Software applications',
      hardware: 'Devices and hardware',
      networks_internet: 'Networks and internet',
      cloud: 'Cloud and operations',
      artificial_intelligence: 'Artificial intelligence',
    },
  ],
  travel_geography: [
    'Travel and geography',
    {
      trip_planning: 'Planning trips',
      transport: 'Trains, flights and roads',
      places: 'Countries and cities',
      customs: 'Customs and etiquette',
    },
  ],
};

/** The domains for inventing datasets, sorted by code. */
export const DOMAINS: readonly Domain[] = Object.entries(CATALOG).map(([code, [title, parts]]) => ({
  code,
  title,
  subdomains: Object.entries(parts).map(([part, name]) => ({ code: `${code}.${part}`, title: name })),
}));

/** The codes of all subdomains: domains take turns, so that any stretch of them is on many topics. */
export const SUBDOMAINS_IN_TURN: readonly string[] = DOMAINS.flatMap(({ subdomains }) =>
  subdomains.map(({ code }, turn) => ({ code, turn })),
)
  .sort((a, b) => a.turn - b.turn)
  .map(({ code }) => code);

const byCode = new Map(DOMAINS.map((domain) => [domain.code, domain]));
const subdomainByCode = new Map(
  DOMAINS.flatMap((domain) => domain.subdomains.map((subdomain) => [subdomain.code, { domain, subdomain }])),
);

export function findDomain(code: string): Domain | null {
  return byCode.get(code) ?? null;
}

export function findSubdomain(
  code: string,
): { readonly domain: Domain; readonly subdomain: Subdomain } | null {
  return subdomainByCode.get(code) ?? null;
}
