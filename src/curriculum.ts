/**
 * The whole curriculum in reading order: parts, articles, and their titles in both languages.
 * An article is written once its folder exists: `content/<part>/<number>-<slug>/{ja,en}.mdx`.
 * Until then the site names it as being in preparation. Plain data: scripts and tests read it too.
 */

export interface Titles {
  ja: string;
  en: string;
}

export interface Article {
  slug: string;
  title: Titles;
}

export interface Part {
  /** Folder below `content/`. */
  folder: string;
  title: Titles;
  /** What the part is about, in one line. */
  about: Titles;
  articles: readonly Article[];
}

const article = (slug: string, ja: string, en: string): Article => ({ slug, title: { ja, en } });

export const curriculum: readonly Part[] = [
  {
    folder: "part-1-design",
    title: { ja: "宣言的設計", en: "Declarative design" },
    about: {
      ja: "「どうやるか」ではなく「どうあってほしいか」を書く。その一つの考えがすべてを決めます。",
      en: "You say how things should be, not what to do. That one idea decides everything else.",
    },
    articles: [
      article("what-is-kubernetes", "Kubernetesとは何か", "What Kubernetes is"),
      article("declarative-vs-imperative", "宣言的と命令的", "Declarative and imperative"),
      article("reconcile-loop", "調整ループ", "The reconcile loop"),
      article("list-watch", "ListとWatch", "List and watch"),
    ],
  },
  {
    folder: "part-2-architecture",
    title: { ja: "アーキテクチャ", en: "Architecture" },
    about: {
      ja: "部品を一つずつ手に取り、APIサーバーにどう噛み合っているかを見ます。",
      en: "Each part in your hand, one at a time, and how it joins the API server.",
    },
    articles: [
      article("architecture", "全体像", "The whole picture"),
      article("etcd", "etcd", "etcd"),
      article("api-server", "APIサーバー", "The API server"),
      article("controller-manager", "コントローラーマネージャー", "The controller manager"),
      article("deployment-and-replicaset", "DeploymentとReplicaSet", "Deployment and ReplicaSet"),
      article("scheduler", "スケジューラー", "The scheduler"),
      article("kubelet", "kubelet", "The kubelet"),
      article("kube-proxy", "kube-proxy", "kube-proxy"),
      article(
        "cloud-registry-clients",
        "クラウド・レジストリ・クライアント",
        "Cloud, registry, clients",
      ),
      article("high-availability", "高可用構成", "High availability"),
    ],
  },
  {
    folder: "part-3-journey",
    title: { ja: "Podができるまで", en: "The journey" },
    about: {
      ja: "一つの命令を、送信から実行まで、記録の一行ずつたどります。",
      en: "One command followed from the keyboard to a running Pod, entry by entry.",
    },
    articles: [
      article(
        "deployment-to-pod",
        "Deploymentの送信からPodの実行まで",
        "From a Deployment to a running Pod",
      ),
      article("reading-failures", "失敗を読む", "Reading failures"),
    ],
  },
  {
    folder: "part-4-cri",
    title: { ja: "CRI", en: "CRI" },
    about: {
      ja: "コンテナとは何か。そして、kubeletはどうやってそれを作らせるのか。",
      en: "What a container is, and how the kubelet has one made.",
    },
    articles: [
      article("containers", "コンテナとは", "What a container is"),
      article("cri", "CRIとcontainerd", "CRI and containerd"),
      article("runtimes", "ランタイムの比較", "Runtimes compared"),
    ],
  },
  {
    folder: "part-5-cni",
    title: { ja: "CNI", en: "CNI" },
    about: {
      ja: "何もつながっていないPodに、ネットワークが届くまで。",
      en: "How a Pod that is joined to nothing gets its network.",
    },
    articles: [
      article("cni", "CNI", "CNI"),
      article("cri-and-cni", "CRIとCNIの連携", "CRI and CNI together"),
      article("flannel", "flannel", "flannel"),
      article("calico-and-cilium", "CalicoとCilium", "Calico and Cilium"),
      article("packet-walk", "パケットの旅", "A packet's walk"),
    ],
  },
  {
    folder: "part-6-csi",
    title: { ja: "CSI", en: "CSI" },
    about: {
      ja: "Podが別のnodeへ移っても、データはついていきます。",
      en: "A Pod turns up on another node, and its data follows.",
    },
    articles: [article("csi", "CSI", "CSI")],
  },
  {
    folder: "part-7-build",
    title: { ja: "作って学ぶ", en: "Build your own" },
    about: {
      ja: "空のファイルから始めて、すべての検査が通るまで。",
      en: "From an empty file until every check passes.",
    },
    articles: [
      article("write-a-controller", "コントローラーを書く", "Write a controller"),
      article(
        "write-a-scheduler-plugin",
        "スケジューラープラグインを書く",
        "Write a scheduler plugin",
      ),
      article("write-a-cni-plugin", "CNIプラグインを書く", "Write a CNI plugin"),
    ],
  },
  {
    folder: "reference",
    title: { ja: "リファレンス", en: "Reference" },
    about: {
      ja: "用語、よくある思い込み、そしてこのサイトが省いたこと。",
      en: "Words, common beliefs, and what this site leaves out.",
    },
    articles: [
      article("glossary", "用語集", "Glossary"),
      article("misconceptions", "よくある思い込み", "Often believed"),
      article("fidelity", "忠実度", "Fidelity"),
      article("simulator-api", "シミュレーターAPI", "Simulator API"),
      article("contributing", "参加するには", "Contributing"),
    ],
  },
];

/** Reference pages that the site makes from data; they have no folder. */
export const generated: readonly string[] = [
  "glossary",
  "misconceptions",
  "fidelity",
  "simulator-api",
];

export const articles: readonly Article[] = curriculum.flatMap((part) => part.articles);

/** What an article is called; undefined if there is none of this slug. */
export function titleOf(slug: string, lang: keyof Titles): string | undefined {
  return articles.find((entry) => entry.slug === slug)?.title[lang];
}

/** The part that holds an article. */
export function partOf(slug: string): Part | undefined {
  return curriculum.find((part) => part.articles.some((entry) => entry.slug === slug));
}

/** Folder of an article below `content/`: `part-3-journey/01-deployment-to-pod`. */
export function folderOf(slug: string): string | undefined {
  const part = partOf(slug);
  if (!part) return undefined;
  const number = part.articles.findIndex((entry) => entry.slug === slug) + 1;
  return `${part.folder}/${String(number).padStart(2, "0")}-${slug}`;
}

/** The article of a folder name; undefined if the curriculum does not list it. */
export function slugOf(folder: string): string | undefined {
  const slug = /\/\d\d-([a-z0-9-]+)$/.exec(folder)?.[1];
  return slug && folderOf(slug) === folder ? slug : undefined;
}
