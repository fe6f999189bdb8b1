import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.hdds.conf.OzoneConfiguration;
import org.apache.hadoop.ozone.MiniOzoneCluster;
import org.apache.hadoop.ozone.s3.Gateway;
import org.apache.hadoop.ozone.s3.OzoneConfigurationHolder;

/** Runs Apache Ozone with one datanode and its S3 gateway on a port of 127.0.0.1 until the process is told to stop. */
final class OzoneLauncher {

    /** Arguments: the port, and a file to be made once the gateway answers. */
    public static void main(String[] args) throws Exception {
        OzoneConfiguration conf = new OzoneConfiguration();
        conf.set("ozone.replication", "1");
        conf.set("ozone.server.default.replication", "1");
        conf.set("hdds.datanode.volume.min.free.space", "1GB");
        conf.set("ozone.s3g.http-address", "127.0.0.1:" + args[0]);
        conf.set("ozone.s3g.webadmin.http-address", "127.0.0.1:0");
        MiniOzoneCluster cluster = MiniOzoneCluster.newBuilder(conf)
                .setNumDatanodes(1)
                .addService(new S3())
                .build();
        Runtime.getRuntime().addShutdownHook(new Thread(cluster::shutdown, "stop"));
        cluster.waitForClusterToBeReady();
        Files.createFile(Path.of(args[1]));
        Thread.currentThread().join();
    }

    private static final class S3 implements MiniOzoneCluster.Service {
        private final Gateway gateway = new Gateway();

        @Override
        public void start(OzoneConfiguration conf) {
            OzoneConfigurationHolder.resetConfiguration();
            OzoneConfigurationHolder.setConfiguration(new OzoneConfiguration(conf));
            if (gateway.execute(new String[0]) != 0) {
                throw new IllegalStateException("the gateway did not start (see above)");
            }
        }

        @Override
        public void stop() throws Exception {
            gateway.stop();
        }
    }
}
